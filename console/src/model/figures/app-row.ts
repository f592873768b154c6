import { groupBy } from "#src/model/collections.js";
import type { Day } from "#src/model/day.js";
import type { DayRange } from "../days/day-range.js";
import { OUTCOMES, shareOf } from "../numbers/categories.js";
import { type Counts, pointsBetween } from "../numbers/counts.js";
import { type ChartDay, chartDaysOf } from "./chart-day.js";
import type { Incident } from "./incident.js";

/** Figures of one app of a project. */
export interface AppRow {
  readonly app: string;
  /** Accepted messages. */
  readonly accepted: number;
  /** Delivered share of the accepted messages, in percent; undefined if there were none. */
  readonly delivered: number | undefined;
  /** Change of the delivered share from the earlier range, in percentage points; undefined without earlier data. */
  readonly change: number | undefined;
  /** Number of incidents that go on; undefined while unknown. */
  readonly ongoing: number | undefined;
  /** Messages beyond the usual ones in these incidents. */
  readonly excess: number;
}

/** Sums of some apps; an app without entries has none. */
export type AppSums = readonly { readonly app: string | undefined; readonly counts: Counts }[];

/**
 * Makes a row for each app.
 * @param apps in the order of the rows
 * @param before sums of the earlier range
 * @param ongoing incidents that go on; undefined while unknown
 */
export function appRowsOf(
  apps: readonly string[],
  now: AppSums,
  before: AppSums,
  ongoing: readonly Incident[] | undefined,
): readonly AppRow[] {
  const countsNow = countsByApp(now);
  const countsBefore = countsByApp(before);
  const incidents = groupBy(ongoing ?? [], ({ app }) => app);
  return apps.map((app) => {
    const counts = countsNow.get(app) ?? {};
    const delivered = shareOf(counts, OUTCOMES, "delivered");
    const earlier = shareOf(countsBefore.get(app) ?? {}, OUTCOMES, "delivered");
    const own = incidents.get(app) ?? [];
    return {
      app,
      accepted: counts.countMessagesAccepted ?? 0,
      delivered,
      change:
        delivered === undefined || earlier === undefined ? undefined : pointsBetween(earlier, delivered),
      ongoing: ongoing && own.length,
      excess: own.reduce((sum, { excess }) => sum + excess, 0),
    };
  });
}

/** Orders apps for a first look: those visited last, then those with the most messages. */
export function byVisit(rows: readonly AppRow[], visits: readonly string[]): readonly AppRow[] {
  const rank = new Map(visits.map((app, index) => [app, index]));
  const rankOf = ({ app }: AppRow): number => rank.get(app) ?? visits.length;
  return [...rows].sort((a, b) => rankOf(a) - rankOf(b) || b.accepted - a.accepted);
}

/** Orders apps for a search of the worst: most messages beyond the usual ones, then the deepest fall. */
export const byTrouble = (rows: readonly AppRow[]): readonly AppRow[] =>
  [...rows].sort((a, b) => b.excess - a.excess || (a.change ?? Infinity) - (b.change ?? Infinity) || 0);

const countsByApp = (sums: AppSums): ReadonlyMap<string | undefined, Counts> =>
  new Map(sums.map(({ app, counts }) => [app, counts]));

/** Most days that a small chart of an app shows. */
const MAX_DAYS = 28;
/** Sums in one request, few enough to be read without a noticeable pause. */
const MAX_SUMS = 2_500;

/** The last days of a range, as the small charts of apps show them. */
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
