import { backoffMs } from "@waybill/client/support";
import { MAX_RETRY_AFTER_MS } from "../limits/limits.js";

const BACKOFF = { firstMs: 1_000, maxMs: 3_600_000 };

/**
 * Returns the time until the next attempt, in milliseconds: doubled with each failure up to an hour, of which a random
 * half is left out, and never less than what the address asks for, up to a day.
 *
 * @param failures number of failures in a row, from 1.
 * @param retryAfterMs time that the address asks to wait, in milliseconds; 0 if it does not.
 * @param random from 0 to 1.
 */
export function retryDelay(failures: number, retryAfterMs: number, random = Math.random()): number {
  return Math.max(backoffMs(failures, BACKOFF, random), Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
}
