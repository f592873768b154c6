import type { DuckDBConnection } from "@duckdb/node-api";

/** Pause between two interrupts, in milliseconds. */
const PAUSE = 10;

/**
 * Runs queries on a connection, and interrupts them when the signal aborts. The connection must not be in use
 * otherwise.
 *
 * The engine clears a pending interrupt when it begins a query. Interrupts are therefore repeated until the work
 * has ended.
 *
 * @throws the engine's error if a query was interrupted, otherwise the reason of `signal` after an abort.
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

/** Runs `work` in a transaction. All changes become visible together, or none if it throws. */
export async function inTransaction<T>(connection: DuckDBConnection, work: () => Promise<T>): Promise<T> {
  try {
    await connection.run("BEGIN");
    const result = await work();
    await connection.run("COMMIT");
    return result;
  } catch (error) {
    await connection.run("ROLLBACK").catch(() => {
      // The engine has already rolled back or no longer can. The first error contains the cause.
    });
    throw error;
  }
}
