import type { Day } from "#src/model/day.js";
import { groupBy } from "#src/model/group-by.js";
import type { DayRange } from "../days/day-range.js";
import type { Counts } from "../numbers/counts.js";
import { type ChartDay, chartDaysOf } from "./chart-day.js";

/** Most days that a small chart of an app shows. */
const MAX_DAYS = 28;
/** Sums in one request, few enough to be read without a noticeable pause. */
const MAX_SUMS = 2_500;

/** The last days of a range, of which apps have small charts. */
export const trendRange = ({ first, last }: DayRange): DayRange => ({
  first: Math.max(first, last - MAX_DAYS + 1),
  last,
});

/** Divides the days of a range among requests for sums by app and day. */
export function dayChunks({ first, last }: DayRange, apps: number): readonly DayRange[] {
  const size = Math.max(1, Math.floor(MAX_SUMS / Math.max(1, apps)));
  const chunks: DayRange[] = [];
  for (let start = first; start <= last; start += size) {
    chunks.push({ first: start, last: Math.min(last, start + size - 1) });
  }
  return chunks;
}

/** Gathers the days of each app from sums by app and day. */
export function daysByApp(
  sums: readonly {
    readonly app: string | undefined;
    readonly day: Day | undefined;
    readonly counts: Counts;
  }[],
): ReadonlyMap<string | undefined, readonly ChartDay[]> {
  return new Map([...groupBy(sums, ({ app }) => app)].map(([app, own]) => [app, chartDaysOf(own)]));
}
