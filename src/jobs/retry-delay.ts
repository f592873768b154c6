import { backoffMs } from "@waybill/client/support";
import { MAX_RETRY_AFTER_MS } from "../limits/limits.js";

const BACKOFF = { firstMs: 1_000, maxMs: 3_600_000 };

/**
 * Returns the time until the next attempt, in milliseconds. It doubles with each failure, up to an hour, and is
 * shortened randomly by up to half. It is at least `Retry-After`, up to a day.
 *
 * @param failures number of consecutive failures, from 1.
 * @param retryAfterMs `Retry-After` in milliseconds; 0 without one.
 * @param random from 0 to 1.
 */
export function retryDelay(failures: number, retryAfterMs: number, random = Math.random()): number {
  return Math.max(backoffMs(failures, BACKOFF, random), Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
}
