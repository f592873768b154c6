import { type Day, FIRST_DAY } from "../../../../src/model/day.js";
import { type DayRange, daysIn, rangeBefore } from "../days/day-range.js";
import type { Counts } from "../numbers/counts.js";
import { type ChartDay, totalOf } from "./chart-day.js";
import { RULE, type Standout, standoutsOf } from "./standout.js";

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
  readonly standouts: readonly Standout[];
}

/** The days to request: the range, the range before it, and the days that the first day is compared with. */
export function daysToAsk(range: DayRange): DayRange {
  const first: Day = range.first - Math.max(RULE.window, daysIn(range));
  return { first: Math.max(FIRST_DAY, first), last: range.last };
}

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
    standouts: standoutsOf(days, range),
  };
}

const rowsIn = (days: readonly ChartDay[], { first, last }: DayRange): readonly ChartDay[] =>
  days.filter(({ day }) => day >= first && day <= last);
