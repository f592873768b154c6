import { type Day, dayOf, startOfDay } from "./day.js";

/**
 * The last day that may be listed. A day appears once it has ended in America/Los_Angeles and the settle
 * delay has passed.
 *
 * @param now in milliseconds since the Unix epoch.
 * @param settleDelay in milliseconds.
 */
export function lastListedDay(now: number, settleDelay: number): Day {
  return dayOf(now - settleDelay) - 1;
}

/**
 * The time at which a day is listed first.
 *
 * @param settleDelay in milliseconds.
 * @returns milliseconds since the Unix epoch.
 */
export const listedSince = (day: Day, settleDelay: number): number => startOfDay(day + 1) + settleDelay;
