import { type Day, type DayRange, dayYearBefore, FIRST_DAY } from "#src/model/day.js";

export type { DayRange } from "#src/model/day.js";

/** Returns the range between two days in any order. */
export const rangeBetween = (one: Day, other: Day): DayRange => ({
  first: Math.min(one, other),
  last: Math.max(one, other),
});

/** Returns true if two ranges have the same days. */
export const isSameRange = (one: DayRange, other: DayRange): boolean =>
  one.first === other.first && one.last === other.last;

export const daysIn = ({ first, last }: DayRange): number => last - first + 1;

/** Returns the same dates one year earlier, with February 28 for February 29, and at least the first valid day. */
export const rangeYearBefore = ({ first, last }: DayRange): DayRange => ({
  first: dayYearBefore(first),
  last: dayYearBefore(last),
});

/** Number of days in charts of a single day. */
const CONTEXT_DAYS = 28;

/** Returns the days in charts: the range or, for a single day, also the days before it. */
export const chartRange = (range: DayRange): DayRange =>
  daysIn(range) > 1 ? range : { first: Math.max(FIRST_DAY, range.last - CONTEXT_DAYS + 1), last: range.last };

export const daysOf = (range: DayRange): Day[] =>
  Array.from({ length: daysIn(range) }, (_, index) => range.first + index);
