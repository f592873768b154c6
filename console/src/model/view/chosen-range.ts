import { FIRST_DAY, rangeBefore, WEEK } from "#src/model/day.js";
import { type DayRange, daysIn, rangeYearBefore } from "../days/day-range.js";

/** Earlier ranges for comparison, by their name in the URL. The first is the default. */
export const EARLIER = ["before", "year"] as const;

export type Earlier = (typeof EARLIER)[number];

export const EARLIER_TITLES: Readonly<Record<Earlier, string>> = {
  before: "Period before",
  year: "Last year",
};

/**
 * Returns the range to compare with: the preceding one, or the same dates one year earlier. The range before a single day is
 * the same weekday of the week before.
 */
export function earlierRange(range: DayRange, earlier: Earlier): DayRange {
  if (earlier === "year") return rangeYearBefore(range);
  if (daysIn(range) > 1) return rangeBefore(range);
  const day = Math.max(FIRST_DAY, range.first - WEEK);
  return { first: day, last: day };
}
