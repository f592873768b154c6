import { NoSlotError } from "../../limits/limit-wait.js";
import {
  StoreBrokenError,
  StoreDamagedError,
  StoreUnavailableError,
  TooManyGroupsError,
  TooManyNamesError,
} from "../../model/store-error.js";
import { isDamage } from "./damage.js";

/** Errors that the services know already. */
const PASSED_ON = [NoSlotError, StoreUnavailableError, TooManyGroupsError, TooManyNamesError];

/**
 * Runs `work` and translates errors of the engine to those that the services know.
 *
 * @throws the reason of `signal` if it has aborted, since the engine then fails because it was interrupted.
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
 * Returns true if the engine accepts no more calls. This happens when the disk fills up while it writes its
 * log into the main file, and when memory runs out while it adds rows to its tables: it may then hold part of
 * the rows, and adds no others until it has written its log.
 */
function isFatal(error: unknown): boolean {
  return (
    error instanceof Error &&
    /FATAL Error|database has been invalidated|Failed to (?:append|commit): (?:could not allocate|failed to (?:allocate|pin|resize))/.test(
      error.message,
    )
  );
}
