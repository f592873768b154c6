import { backoffMs } from "@waybill/client/support";
import { MAX_RETRY_AFTER_MS } from "../limits/data-limits.js";
import { HOUR_MS } from "../model/clock.js";

const BACKOFF = { firstMs: 1_000, maxMs: HOUR_MS };

/**
 * Returns the pause until the next attempt, in milliseconds. The pause doubles with each failure, up to an hour. Up to
 * half of it is subtracted at random. It is at least as long as `Retry-After`, up to a day.
 *
 * @param failures number of consecutive failures, from 1.
 * @param retryAfterMs `Retry-After` in milliseconds; 0 if the response has none.
 * @param random from 0 to 1.
 */
export function retryDelay(failures: number, retryAfterMs: number, random = Math.random()): number {
  return Math.max(backoffMs(failures, BACKOFF, random), Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
}
