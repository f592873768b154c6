import type { DuckDBConnection } from "@duckdb/node-api";

/** Runs `work` in a transaction: its changes become visible together, or not at all if it throws. */
export async function inTransaction<T>(connection: DuckDBConnection, work: () => Promise<T>): Promise<T> {
  try {
    await connection.run("BEGIN");
    const result = await work();
    await connection.run("COMMIT");
    return result;
  } catch (error) {
    await connection.run("ROLLBACK").catch(() => {
      // The engine has already rolled back, or no longer can; the first error gives the cause.
    });
    throw error;
  }
}
