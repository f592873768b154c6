import type { DuckDBConnection } from "@duckdb/node-api";

/** Milliseconds between two interruptions. */
const PAUSE = 10;

/**
 * Runs queries of a connection, which nobody else uses meanwhile, and interrupts them when the signal aborts.
 *
 * The engine forgets an interruption that comes before it has begun with a query, and begins each query without one. So
 * they are repeated until the work has ended, and none outlasts it.
 *
 * @throws what the engine throws when it is interrupted; the reason of `signal` if nothing was.
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
