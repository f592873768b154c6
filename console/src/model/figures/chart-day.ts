import { groupBy } from "#src/model/collections.js";
import type { Day } from "#src/model/day.js";
import type { DayRange } from "../days/day-range.js";
import { periodLength, periodOf } from "../days/period.js";
import { OUTCOMES, shareOf } from "../numbers/categories.js";
import { type Counts, FEW, sumOf } from "../numbers/counts.js";
import { formatCount } from "../numbers/format-number.js";
import { isUncertain, type Series } from "./series.js";

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

/** The share of a day in percent; undefined if the denominator is 0. */
export interface DayShare {
  readonly day: Day;
  readonly share: number | undefined;
  /** True if the share of so few messages is uncertain. */
  readonly isUncertain?: boolean;
}

/** Range of shares, in percent, that several small charts have in common. */
export interface ShareSpan {
  readonly least: number;
  readonly most: number;
}

/** The delivered share of each day. */
export const deliveredShares = (days: readonly ChartDay[]): readonly DayShare[] =>
  days.map(({ day, counts }) => ({
    day,
    share: shareOf(counts, OUTCOMES, "delivered"),
    isUncertain: (counts.countMessagesAccepted ?? 0) < FEW,
  }));

/** A span of whole tens up to 100 % that fits all shares. */
export function shareSpanOf(shares: Iterable<number | undefined>): ShareSpan {
  let least = 90;
  for (const share of shares) if (share !== undefined) least = Math.min(least, share);
  return { least: Math.floor(least / 10) * 10, most: 100 };
}

const DAYS_OF_WEEK = 7;

/** True for a week of which not every day is in the range and has entries. */
export const isIncomplete = ({ entryDays = DAYS_OF_WEEK }: Pick<ChartDay, "entryDays">): boolean =>
  entryDays < DAYS_OF_WEEK;

/** Limits of the figures of a day or week, each in a few words. */
export function caveatsOf<C = Counts>(row: ChartDay<C>, series: readonly Series<C>[]): readonly string[] {
  const caveats: string[] = [];
  if (isIncomplete(row)) caveats.push(`${row.entryDays} of ${DAYS_OF_WEEK} days`);
  if (series.some((each) => isUncertain(each, row.counts)))
    caveats.push(`Fewer than ${formatCount(FEW)} messages`);
  return caveats;
}
