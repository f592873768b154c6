import { civilDate, type Day, dayOfCivil, WEEK, weekdayOf } from "#src/model/day.js";
import { type DayRange, daysIn } from "./day-range.js";

/** Maximum range, in days, that charts show by day. They show longer ranges by week. */
const MAX_BY_DAY = 120;
/** Returns the maximum days per chart period: 1, or 7 for a long range. */
export const periodLength = (range: DayRange): 1 | 7 => (daysIn(range) > MAX_BY_DAY ? WEEK : 1);

/**
 * Returns the chart period that contains a day: the day itself or, in a long range, all days in its week within the
 * range. Weeks are ISO 8601 weeks, Monday to Sunday.
 */
export function periodOf(day: Day, range: DayRange): DayRange {
  if (periodLength(range) === 1) return { first: day, last: day };
  const monday = day - weekdayOf(day);
  return { first: Math.max(range.first, monday), last: Math.min(range.last, monday + WEEK - 1) };
}

/** Lists the chart periods of a range, in order. */
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
 * Lists the first days of the months in a range.
 *
 * @param every months per step, counted from January: a divisor or multiple of 12
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
