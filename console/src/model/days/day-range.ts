import { civilDate, type Day, dayOfCivil, FIRST_DAY } from "#src/model/day.js";

/** Days from `first` to `last`, both included. */
export interface DayRange {
  readonly first: Day;
  readonly last: Day;
}

/** Number of days in a range. */
export const daysIn = ({ first, last }: DayRange): number => last - first + 1;

/** The range of the same length just before this one. */
export const rangeBefore = (range: DayRange): DayRange => ({
  first: range.first - daysIn(range),
  last: range.first - 1,
});

/** The same dates in the year before. February 29 becomes February 28; no date is before the first day. */
export const rangeYearBefore = ({ first, last }: DayRange): DayRange => ({
  first: dayYearBefore(first),
  last: dayYearBefore(last),
});

/** The given number of days just before a range, as far as dates stand for them. */
export const daysAhead = ({ first }: DayRange, count: number): DayRange => ({
  first: Math.max(FIRST_DAY, first - count),
  last: Math.max(FIRST_DAY, first - 1),
});

/** The days of a range up to a last one. A range that begins later stays as it is. */
export const upTo = (range: DayRange, last: Day): DayRange =>
  range.first > last || range.last <= last ? range : { first: range.first, last };

export const daysOf = (range: DayRange): Day[] =>
  Array.from({ length: daysIn(range) }, (_, index) => range.first + index);

/** Formats a day as `2025-03-01`. */
export function isoDate(day: Day): string {
  const { year, month, day: dayOfMonth } = civilDate(day);
  return [String(year).padStart(4, "0"), pad(month), pad(dayOfMonth)].join("-");
}

/** Reads a day such as `2025-03-01`; undefined if the text is not a valid date. */
export function dayOfIso(text: string): Day | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (match === null) return undefined;
  const day = dayOfCivil(Number(match[1]), Number(match[2]), Number(match[3]));
  return isoDate(day) === text && day >= FIRST_DAY ? day : undefined;
}

function dayYearBefore(day: Day): Day {
  const { year, month, day: dayOfMonth } = civilDate(day);
  if (year === 1) return FIRST_DAY;
  return dayOfCivil(year - 1, month, month === 2 && dayOfMonth === 29 ? 28 : dayOfMonth);
}

const pad = (part: number): string => String(part).padStart(2, "0");
