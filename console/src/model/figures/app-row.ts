import { groupBy } from "#src/model/collections.js";
import type { Day } from "#src/model/day.js";
import type { DayRange } from "../days/day-range.js";
import { OUTCOMES, shareOf } from "../numbers/categories.js";
import { acceptedOf, type Counts, FEW, pointsBetween } from "../numbers/counts.js";
import { type ChartDay, chartDaysOf } from "./chart-day.js";
import type { Incident } from "./incident.js";
import { type Target, targetFor } from "./target.js";

/** Messages in a range, and how their delivered share has changed. */
export interface ShareFigures {
  readonly accepted: number;
  /** Delivered share of accepted messages, in percent. Undefined without accepted messages. */
  readonly delivered: number | undefined;
  /** Change of the delivered share since the earlier range, in percentage points. Undefined without earlier data. */
  readonly change: number | undefined;
  /** True if the earlier range has too few messages for a reliable change. */
  readonly isUncertain: boolean;
}

export function shareFigures(counts: Counts, earlierCounts: Counts): ShareFigures {
  const delivered = shareOf(counts, OUTCOMES, "delivered");
  const earlier = shareOf(earlierCounts, OUTCOMES, "delivered");
  return {
    accepted: acceptedOf(counts),
    delivered,
    change: delivered === undefined || earlier === undefined ? undefined : pointsBetween(earlier, delivered),
    isUncertain: acceptedOf(earlierCounts) < FEW,
  };
}

export interface AppRow extends ShareFigures {
  readonly app: string;
  /** Display name; the app id if there is none. */
  readonly name: string;
  /** True if the app has messages with the labels that are chosen in other parts of the page. */
  readonly hasLabels: boolean;
  /** Number of ongoing incidents. Undefined while unknown. */
  readonly ongoing: number | undefined;
  /** Excess messages in these incidents. */
  readonly excess: number;
  /** The target for all labels together. */
  readonly target: Target | undefined;
}

/** Sums by app. Apps without entries have none. */
export type AppSums = readonly { readonly app: string | undefined; readonly counts: Counts }[];

/**
 * Creates a row for each app, in the order of `apps`.
 *
 * @param before sums for the earlier range
 * @param ongoing ongoing incidents, undefined while unknown
 * @param names display names, by app id
 * @param labelled sums of messages with the chosen labels
 */
export function appRowsOf(
  apps: readonly string[],
  now: AppSums,
  before: AppSums,
  ongoing: readonly Incident[] | undefined,
  names: ReadonlyMap<string, string> = new Map(),
  labelled: AppSums = [],
  targets: readonly Target[] = [],
): readonly AppRow[] {
  const countsNow = countsByApp(now);
  const countsBefore = countsByApp(before);
  const withLabels = countsByApp(labelled);
  const incidents = groupBy(ongoing ?? [], ({ app }) => app);
  return apps.map((app) => {
    const own = incidents.get(app) ?? [];
    return {
      app,
      name: names.get(app) ?? app,
      hasLabels: acceptedOf(withLabels.get(app) ?? {}) > 0,
      ...shareFigures(countsNow.get(app) ?? {}, countsBefore.get(app) ?? {}),
      ongoing: ongoing && own.length,
      excess: own.reduce((sum, { excess }) => sum + excess, 0),
      target: targetFor(targets, { app, label: undefined }),
    };
  });
}

/** Sorts apps by last visit, then by number of messages. */
export function byVisit(rows: readonly AppRow[], visits: readonly string[]): readonly AppRow[] {
  const rank = new Map(visits.map((app, index) => [app, index]));
  const rankOf = ({ app }: AppRow): number => rank.get(app) ?? visits.length;
  return [...rows].sort((a, b) => rankOf(a) - rankOf(b) || b.accepted - a.accepted);
}

/** Sorts the worst apps first: by excess messages, then by fall of the delivered share, if it is reliable. */
export const byTrouble = (rows: readonly AppRow[]): readonly AppRow[] =>
  [...rows].sort(
    (a, b) => b.excess - a.excess || (reliableChange(a) ?? Infinity) - (reliableChange(b) ?? Infinity) || 0,
  );

/** Returns a change of the delivered share by which rows are ranked. Undefined if it is unreliable. */
export const reliableChange = ({ change, isUncertain }: ShareFigures): number | undefined =>
  isUncertain ? undefined : change;

const countsByApp = (sums: AppSums): ReadonlyMap<string | undefined, Counts> =>
  new Map(sums.map(({ app, counts }) => [app, counts]));

/** Maximum number of days in an app's small chart. */
const MAX_DAYS = 28;
/** Sums per request, few enough to parse without a noticeable pause. */
const MAX_SUMS = 2_500;

/** Returns the last days of a range, for the small charts. */
export const trendRange = ({ first, last }: DayRange): DayRange => ({
  first: Math.max(first, last - MAX_DAYS + 1),
  last,
});

/** Splits a range into requests for sums by app and day. */
export function dayChunks({ first, last }: DayRange, apps: number): readonly DayRange[] {
  const size = Math.max(1, Math.floor(MAX_SUMS / Math.max(1, apps)));
  const chunks: DayRange[] = [];
  for (let start = first; start <= last; start += size) {
    chunks.push({ first: start, last: Math.min(last, start + size - 1) });
  }
  return chunks;
}

/** Groups sums by app and day into chart days for each app. */
export function daysByApp(
  sums: readonly {
    readonly app: string | undefined;
    readonly day: Day | undefined;
    readonly counts: Counts;
  }[],
): ReadonlyMap<string | undefined, readonly ChartDay[]> {
  return new Map([...groupBy(sums, ({ app }) => app)].map(([app, own]) => [app, chartDaysOf(own)]));
}
