import { groupBy } from "#src/model/collections.js";
import { type Day, WEEK } from "#src/model/day.js";
import type { DayRange } from "../days/day-range.js";
import { periodLength, periodOf } from "../days/period.js";
import { OUTCOMES, shareOf } from "../numbers/categories.js";
import { acceptedOf, type Counts, FEW, sumOf } from "../numbers/counts.js";
import { formatCount } from "../numbers/format-number.js";
import { isUncertain, type Series } from "./series.js";

/** The counts of one day or, in a long range, of one week. Days without entries have no row. */
export interface ChartDay<C = Counts> {
  /** The day, or the first day of the week. */
  readonly day: Day;
  readonly counts: C;
  /** For a week, its number of days with entries. */
  readonly entryDays?: number;
}

export interface DayMark {
  readonly day: Day;
  /** Why the day is highlighted, in one or two sentences. */
  readonly text: string;
  /** Labels of incidents that begin on the day. */
  readonly starts: readonly string[];
}

/** Converts groups by date to chart rows, in order. Drops groups without a date. */
export const chartDaysOf = (
  groups: readonly { readonly day: Day | undefined; readonly counts: Counts }[],
): ChartDay[] =>
  groups
    .flatMap(({ day, counts }) => (day === undefined ? [] : [{ day, counts }]))
    .sort((a, b) => a.day - b.day);

/** Adds up the counts of all rows. */
export const totalOf = (rows: readonly ChartDay[]): Counts => sumOf(rows.map(({ counts }) => counts));

/**
 * Returns the chart rows for a range: its days or, in a long range, its weeks. A week's share is that of all its
 * messages, not an average of daily shares.
 *
 * @param rows in order
 * @param sum adds up counts
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

/** A day's share in percent, undefined if the denominator is 0. */
export interface DayShare {
  readonly day: Day;
  readonly share: number | undefined;
  /** True if the share is uncertain because there were few messages. */
  readonly isUncertain?: boolean;
}

/** Common scale of several small charts, in percent. */
export interface ShareSpan {
  readonly least: number;
  readonly most: number;
}

export const deliveredShares = (days: readonly ChartDay[]): readonly DayShare[] =>
  days.map(({ day, counts }) => ({
    day,
    share: shareOf(counts, OUTCOMES, "delivered"),
    isUncertain: acceptedOf(counts) < FEW,
  }));

/** Returns a scale from a multiple of 10 % up to 100 % that fits all shares. */
export function shareSpanOf(shares: Iterable<number | undefined>): ShareSpan {
  let least = 90;
  for (const share of shares) if (share !== undefined) least = Math.min(least, share);
  return { least: Math.floor(least / 10) * 10, most: 100 };
}

/** Returns one scale for several charts of delivered shares. Charts that still load are undefined. */
export const commonSpanOf = (charts: readonly (readonly ChartDay[] | undefined)[]): ShareSpan =>
  shareSpanOf(charts.flatMap((days) => deliveredShares(days ?? []).map(({ share }) => share)));

/** Returns true for a week in which some day is outside the range or has no entries. */
export const isIncomplete = ({ entryDays = WEEK }: Pick<ChartDay, "entryDays">): boolean => entryDays < WEEK;

/** Returns short notes on why figures are incomplete or uncertain. */
export function caveatsOf<C = Counts>(row: ChartDay<C>, series: readonly Series<C>[]): readonly string[] {
  const caveats: string[] = [];
  if (isIncomplete(row)) caveats.push(`${row.entryDays} of ${WEEK} days`);
  if (series.some((each) => isUncertain(each, row.counts)))
    caveats.push(`Fewer than ${formatCount(FEW)} messages`);
  return caveats;
}
