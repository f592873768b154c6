import { civilDate, type Day, dayOfCivil } from "#src/model/day.js";
import { type DayRange, daysIn } from "./day-range.js";

/** Longest range, in days, that charts show by day; they show longer ones by week. */
const MAX_BY_DAY = 120;
const WEEK = 7;
/** Days from a Monday to 1970-01-01. */
const EPOCH_WEEKDAY = 3;

/** Most days of a period in a chart of a range: 1 or, in a long range, 7. */
export const periodLength = (range: DayRange): 1 | 7 => (daysIn(range) > MAX_BY_DAY ? WEEK : 1);

/**
 * The period of a day in a chart of a range: the day itself or, in a long range, the days of its week that are in
 * the range. Weeks are those of ISO 8601, Monday to Sunday.
 */
export function periodOf(day: Day, range: DayRange): DayRange {
  if (periodLength(range) === 1) return { first: day, last: day };
  const weekday = (((day + EPOCH_WEEKDAY) % WEEK) + WEEK) % WEEK;
  const monday = day - weekday;
  return { first: Math.max(range.first, monday), last: Math.min(range.last, monday + WEEK - 1) };
}

/** The periods of a chart of a range, in order. */
export function periodsIn(range: DayRange): readonly DayRange[] {
  const periods: DayRange[] = [];
  for (let { first: day } = range; day <= range.last; ) {
    const period = periodOf(day, range);
    periods.push(period);
    day = period.last + 1;
  }
  return periods;
}

/**
 * The first days of months in a range.
 * @param every number of months from each to the next, a divisor or a multiple of 12, counted from January
 */
export function monthsIn({ first, last }: DayRange, every: number): readonly Day[] {
  const { year, month } = civilDate(first);
  const days: Day[] = [];
  for (let index = Math.floor((12 * year + month - 1) / every) * every; ; index += every) {
    const day = dayOfCivil(Math.floor(index / 12), (index % 12) + 1, 1);
    if (day > last) return days;
    if (day >= first) days.push(day);
  }
}
