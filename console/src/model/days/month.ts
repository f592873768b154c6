import { civilDate, type Day, type DayRange, dayOfCivil, WEEK, weekdayOf } from "#src/model/day.js";

/** Weeks that the longest month can touch. */
const WEEKS = 6;

/** Returns the first and last day of the month that contains a day. */
function monthAround(day: Day): DayRange {
  const { year, month } = civilDate(day);
  const next = month === 12 ? dayOfCivil(year + 1, 1, 1) : dayOfCivil(year, month + 1, 1);
  return { first: dayOfCivil(year, month, 1), last: next - 1 };
}

/**
 * Lists all days in the month around a day, in six weeks from Monday to Sunday. Places before the first day and
 * after the last one are undefined.
 */
export function weeksOfMonth(day: Day): readonly (readonly (Day | undefined)[])[] {
  const { first, last } = monthAround(day);
  const monday = first - weekdayOf(first);
  return Array.from({ length: WEEKS }, (_, week) =>
    Array.from({ length: WEEK }, (_, weekday) => {
      const place = monday + week * WEEK + weekday;
      return place < first || place > last ? undefined : place;
    }),
  );
}

/** Returns the same day of a later or earlier month, or the last day of that month if it is shorter. */
export function addMonths(day: Day, months: number): Day {
  const { year, month, day: dayOfMonth } = civilDate(day);
  const count = 12 * year + month - 1 + months;
  const first = dayOfCivil(Math.floor(count / 12), (count % 12) + 1, 1);
  return Math.min(first + dayOfMonth - 1, monthAround(first).last);
}
