import type { DuckDBConnection } from "@duckdb/node-api";

/** Runs `work` in a transaction: its changes become visible all at once, or not at all if it throws. */
export async function inTransaction<T>(connection: DuckDBConnection, work: () => Promise<T>): Promise<T> {
  try {
    await connection.run("BEGIN");
    const result = await work();
    await connection.run("COMMIT");
    return result;
  } catch (error) {
    await connection.run("ROLLBACK").catch(() => {
      // The engine has rolled back by itself, or is beyond that; the first error says why.
    });
    throw error;
  }
}
