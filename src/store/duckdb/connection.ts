import type { DuckDBConnection } from "@duckdb/node-api";

/** Pause between two interrupts, in milliseconds. */
const PAUSE = 10;

/**
 * Runs queries on a connection, and interrupts them when the signal aborts. Nothing else may use the connection at the
 * same time.
 *
 * When the engine starts a query, it clears an interrupt that is still pending. Interrupts are therefore repeated until
 * the work has ended.
 *
 * @throws the engine's error if a query was interrupted; otherwise the abort reason of `signal`.
 */
export async function interruptible<T>(
  connection: DuckDBConnection,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (signal === undefined) return work();
  signal.throwIfAborted();
  let repeating: NodeJS.Timeout | undefined;
  const interrupt = (): void => {
    connection.interrupt();
    repeating = setTimeout(interrupt, PAUSE);
  };
  signal.addEventListener("abort", interrupt, { once: true });
  try {
    const result = await work();
    signal.throwIfAborted();
    return result;
  } finally {
    signal.removeEventListener("abort", interrupt);
    clearTimeout(repeating);
  }
}

/** Calls `work` in a transaction. Its changes become visible together. If it throws, none of them becomes visible. */
export async function inTransaction<T>(connection: DuckDBConnection, work: () => Promise<T>): Promise<T> {
  try {
    await connection.run("BEGIN");
    const result = await work();
    await connection.run("COMMIT");
    return result;
  } catch (error) {
    await connection.run("ROLLBACK").catch(() => {
      // The engine has already rolled back the transaction, or is unable to. The first error contains the cause.
    });
    throw error;
  }
}
