import type { DuckDBConnection } from "@duckdb/node-api";

/** Pause between two interruptions, in milliseconds. */
const PAUSE = 10;

/**
 * Runs queries on a connection that is not used otherwise meanwhile, and interrupts them when the signal
 * aborts.
 *
 * The engine clears a pending interruption whenever it begins a query. The interruptions therefore repeat
 * until the work has ended, and stop with it.
 *
 * @throws the engine's error if a query was interrupted, or the reason of `signal` if none was.
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
