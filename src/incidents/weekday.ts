import type { Day } from "../model/day.js";

/** The weekday of a day, from 0; the same number every seven days. */
export function weekdayOf(day: Day): number {
  return ((day % 7) + 7) % 7;
}
