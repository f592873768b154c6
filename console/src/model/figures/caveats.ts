import type { Counts } from "../numbers/counts.js";
import { formatCount } from "../numbers/format-number.js";
import { FEW } from "../numbers/wilson.js";
import type { ChartDay } from "./chart-day.js";
import { isUncertain, type Series } from "./series.js";

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
