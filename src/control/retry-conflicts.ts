import { StoreUnavailableError } from "../model/store-error.js";

/** Maximum number of attempts. Each conflict means that another change succeeded. */
const MAX_ATTEMPTS = 100;

/**
 * Reads and changes a record, and starts again after each conflict with another change.
 *
 * @param what names the record in the error.
 * @param attempt returns its result, or `undefined` after a conflict.
 * @throws StoreUnavailableError if every attempt conflicted.
 */
export async function retryConflicts<T>(
  what: string,
  attempt: () => Promise<{ readonly result: T } | undefined>,
): Promise<T> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    const done = await attempt();
    if (done !== undefined) return done.result;
  }
  throw new StoreUnavailableError(`${MAX_ATTEMPTS} attempts to change ${what} conflicted with other changes`);
}
