import { type Day, FIRST_DAY, rangeBefore } from "#src/model/day.js";
import { chartRange, type DayRange, daysIn } from "../days/day-range.js";
import type { Counts } from "../numbers/counts.js";
import { type ChartDay, totalOf } from "./chart-day.js";
import { EARLIER_DAYS, MIN_BASIS } from "./usual-band.js";

/** Overview data for a range. */
export interface OverviewDays {
  readonly range: DayRange;
  /** Days in the range with entries. */
  readonly rows: readonly ChartDay[];
  readonly total: Counts;
  /** Days in charts: the range or, for a single day, also the days before it. */
  readonly charted: DayRange;
  /** Days in charts with entries. */
  readonly chartRows: readonly ChartDay[];
  /** The earlier range for comparison. */
  readonly earlier: DayRange;
  readonly earlierRows: readonly ChartDay[];
  /** Sum for the earlier range. */
  readonly before: Counts;
  /** Days with entries in the range and before it. */
  readonly asked: readonly ChartDay[];
}

/** Number of listed days that the server evaluates. */
const EVALUATED_DAYS = 400;

/** Returns the days to request: the range, the range before it, and enough days to compute the usual band. */
export function daysToAsk(range: DayRange): DayRange {
  const first: Day = range.first - Math.max(EARLIER_DAYS, daysIn(range));
  return { first: Math.max(FIRST_DAY, first), last: range.last };
}

/**
 * Returns the first requested day with entries, if it may be the first day at all: earlier requested days have none.
 * Only older data can confirm this.
 */
export const possibleStartOf = ({ range, asked: [first] }: OverviewDays): Day | undefined =>
  first !== undefined && first.day > daysToAsk(range).first ? first.day : undefined;

/** Returns true if the server has evaluated the range, so that no incidents means that all was as usual. */
export const isEvaluated = ({ range, asked }: OverviewDays, listed: Day): boolean =>
  asked.length > MIN_BASIS && range.first > listed - EVALUATED_DAYS;

/**
 * Splits the requested days into the range and the earlier range.
 * @param earlierDays days that contain the earlier range
 */
export function overviewOf(
  days: readonly ChartDay[],
  range: DayRange,
  earlier: DayRange = rangeBefore(range),
  earlierDays: readonly ChartDay[] = days,
): OverviewDays {
  const rows = rowsIn(days, range);
  const earlierRows = rowsIn(earlierDays, earlier);
  return {
    range,
    rows,
    total: totalOf(rows),
    charted: chartRange(range),
    chartRows: rowsIn(days, chartRange(range)),
    earlier,
    earlierRows,
    before: totalOf(earlierRows),
    asked: days,
  };
}

const rowsIn = (days: readonly ChartDay[], { first, last }: DayRange): readonly ChartDay[] =>
  days.filter(({ day }) => day >= first && day <= last);
