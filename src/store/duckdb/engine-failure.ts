import {
  StoreBrokenError,
  StoreDamagedError,
  StoreUnavailableError,
  TooManyGroupsError,
} from "../../model/store-error.js";

import { isDamage } from "./damage.js";

/**
 * Runs `work`, so that any failure of the engine comes out as one the services know.
 *
 * @throws the reason of `signal` if it has aborted, as the engine then fails because it was interrupted.
 */
export async function orUnavailable<T>(
  what: string,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof StoreUnavailableError || cause instanceof TooManyGroupsError) throw cause;
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
 * Whether the engine takes no more calls, as after a disk was full while it wrote its log into the main file, or had too
 * little memory for rows that it was adding to its tables: then it may keep a part of them, and adds no others until it has
 * written its log.
 */
function isFatal(error: unknown): boolean {
  return (
    error instanceof Error &&
    /FATAL Error|database has been invalidated|Failed to (?:append|commit): (?:could not allocate|failed to (?:allocate|pin|resize))/.test(
      error.message,
    )
  );
}
