import type { DuckDBConnection } from "@duckdb/node-api";
import { NoSlotError } from "../../limits/limit-wait.js";
import {
  StoreBrokenError,
  StoreDamagedError,
  StoreUnavailableError,
  TooManyGroupsError,
  TooManyNamesError,
} from "../../model/store-error.js";

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

/** Errors that services handle without conversion. */
const PASSED_ON = [NoSlotError, StoreUnavailableError, TooManyGroupsError, TooManyNamesError];

/**
 * Calls `work`, and converts engine errors to errors that services handle.
 *
 * @throws the abort reason of `signal` if it has aborted, because the engine then only reports an interrupt.
 */
export async function orUnavailable<T>(
  what: string,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (PASSED_ON.some((type) => cause instanceof type)) throw cause;
    if (isFatal(cause)) throw new StoreBrokenError(`${what} failed`, { cause });
    if (isDamage(cause)) {
      const [line] = (cause as Error).message.split("\n");
      throw new StoreDamagedError(`${what} failed: the database is damaged: ${line}`, { cause });
    }
    signal?.throwIfAborted();
    throw new StoreUnavailableError(`${what} failed`, { cause });
  }
}

/**
 * Returns true if the engine accepts no more calls. There are two known causes: the disk is full while the engine
 * writes its log into the main file, or memory runs out while it adds rows. In the second case, it may have added some
 * of the rows, and adds no more until it has written its log.
 */
function isFatal(error: unknown): boolean {
  return (
    error instanceof Error &&
    /FATAL Error|database has been invalidated|Failed to (?:append|commit): (?:could not allocate|failed to (?:allocate|pin|resize))/.test(
      error.message,
    )
  );
}

/** Returns true if the engine reports that the file content is corrupt. */
export function isDamage(error: unknown): boolean {
  return error instanceof Error && /Corrupt database file|Could not read enough bytes/.test(error.message);
}
