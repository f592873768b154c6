import type { Day } from "#src/model/day.js";
import { groupBy } from "#src/model/order.js";
import type { DayRange } from "../days/day-range.js";
import { periodLength, periodOf } from "../days/period.js";
import { type Counts, sumOf } from "../numbers/counts.js";

/** The counts of one day, or of one week in a chart of a long range. Without entries, there is no row. */
export interface ChartDay<C = Counts> {
  /** The day, or the first day of the week. */
  readonly day: Day;
  readonly counts: C;
  /** Number of days with entries, for a week. */
  readonly entryDays?: number;
}

/** A day that a chart highlights. */
export interface DayMark {
  readonly day: Day;
  /** The reason, in a sentence or two. */
  readonly text: string;
  /** True if something begins on the day. */
  readonly isStart: boolean;
}

/** Makes chart rows from groups by date, and drops groups without a date. */
export const chartDaysOf = (
  groups: readonly { readonly day: Day | undefined; readonly counts: Counts }[],
): ChartDay[] =>
  groups
    .flatMap(({ day, counts }) => (day === undefined ? [] : [{ day, counts }]))
    .sort((a, b) => a.day - b.day);

/** Adds up the counts of all rows. */
export const totalOf = (rows: readonly ChartDay[]): Counts => sumOf(rows.map(({ counts }) => counts));

/**
 * The rows that a chart of a range shows: the days in it or, in a long range, its weeks. The share of a week is the
 * quotient of its sums, not an average of its days.
 * @param rows in order
 * @param sum adds up the counts of some days
 */
export function rowsByPeriod<C>(
  rows: readonly ChartDay<C>[],
  range: DayRange,
  sum: (days: readonly ChartDay<C>[]) => C,
): readonly ChartDay<C>[] {
  const inRange = rows.filter(({ day }) => day >= range.first && day <= range.last);
  if (periodLength(range) === 1) return inRange;
  const weeks = groupBy(inRange, ({ day }) => periodOf(day, range).first);
  return [...weeks].map(([day, days]) => ({ day, counts: sum(days), entryDays: days.length }));
}
