import { type Day, FIRST_DAY } from "#src/model/day.js";
import { type DayRange, daysIn, rangeBefore } from "../days/day-range.js";
import type { Counts } from "../numbers/counts.js";
import { type ChartDay, totalOf } from "./chart-day.js";
import { EARLIER_DAYS, MIN_BASIS } from "./usual-band.js";

/** Everything that the overview shows about a range. */
export interface OverviewDays {
  readonly range: DayRange;
  /** Days of the range that have entries. */
  readonly rows: readonly ChartDay[];
  readonly total: Counts;
  /** The earlier range that it is compared with. */
  readonly earlier: DayRange;
  /** Counts of the earlier range. */
  readonly before: Counts;
  /** Number of days of the earlier range that have entries. */
  readonly daysBefore: number;
  /** Days of the range and before it that have entries. */
  readonly asked: readonly ChartDay[];
}

/** Number of the last listed days that the server judges. */
const JUDGED_DAYS = 400;

/** The days to request: the range, the range before it, and at least the days that say what is usual. */
export function daysToAsk(range: DayRange): DayRange {
  const first: Day = range.first - Math.max(EARLIER_DAYS, daysIn(range));
  return { first: Math.max(FIRST_DAY, first), last: range.last };
}

/** Returns true if the server has judged the days of the range: it would have found an incident. */
export const isJudged = ({ range, asked }: OverviewDays, listed: Day): boolean =>
  asked.length > MIN_BASIS && range.first > listed - JUDGED_DAYS;

/**
 * Divides the requested days among the parts of the overview.
 * @param earlierDays the requested days that contain the earlier range
 */
export function overviewOf(
  days: readonly ChartDay[],
  range: DayRange,
  earlier: DayRange = rangeBefore(range),
  earlierDays: readonly ChartDay[] = days,
): OverviewDays {
  const rows = rowsIn(days, range);
  const before = rowsIn(earlierDays, earlier);
  return {
    range,
    rows,
    total: totalOf(rows),
    earlier,
    before: totalOf(before),
    daysBefore: before.length,
    asked: days,
  };
}

const rowsIn = (days: readonly ChartDay[], { first, last }: DayRange): readonly ChartDay[] =>
  days.filter(({ day }) => day >= first && day <= last);
