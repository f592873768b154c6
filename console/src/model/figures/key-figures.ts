import { differenceOf, type Sample, supportedVerdict, type Verdict } from "#src/presentation/difference.js";
import type { DayRange } from "../days/day-range.js";
import { OUTCOMES, PERFORMANCE, UNACCOUNTED } from "../numbers/categories.js";
import {
  acceptedOf,
  type Counts,
  FEW,
  notificationsOf,
  percentOf,
  pointsBetween,
} from "../numbers/counts.js";
import { formatChange, formatCount, formatPercent, formatPoints } from "../numbers/format-number.js";
import { type ChartDay, type DayShare, isIncomplete, rowsByPeriod, totalOf } from "./chart-day.js";
import { type Incident, isOfShare, lasts } from "./incident.js";
import { type Series, seriesOf, seriesShare } from "./series.js";

/** A figure for a range, with its change since the earlier range. */
export interface KeyFigure {
  readonly title: string;
  /** A share's denominator, in words. Undefined for a count. */
  readonly of?: string;
  /** A count, or a percentage if `of` is set. Undefined while loading or if the denominator is 0. */
  readonly value: number | undefined;
  /** Percent for a count, percentage points for a share. Undefined without comparable earlier data. */
  readonly change: number | undefined;
  /** True if the earlier range has too few messages for a reliable change. */
  readonly isUncertain: boolean;
  /** The direction that is better. Undefined if neither is. */
  readonly good?: "up" | "down";
  /** A share's messages. Undefined for a count. */
  readonly series?: Series;
  /** Computes the figure from other counts, such as a single day. */
  readonly valueIn: (counts: Counts) => number | undefined;
}

/** Share figures, with the direction that is better. */
const SHARES: readonly { readonly series: Series; readonly good: "up" | "down" }[] = [
  { series: seriesWith("delivered"), good: "up" },
  { series: seriesWith("deliveredNoDelay"), good: "up" },
  { series: seriesWith(UNACCOUNTED.title), good: "down" },
];

function seriesWith(name: string): Series {
  const all = [...seriesOf(OUTCOMES), ...seriesOf(PERFORMANCE)];
  const series = all.find(({ key, title }) => key === name || title === name);
  if (series === undefined) throw new Error(`no series is named ${name}`);
  return series;
}

/**
 * Computes key figures.
 *
 * @param now sum for the range, undefined while loading
 * @param before sum for the earlier range
 * @param areAlike false if the sums cover different numbers of days, so that only shares can be compared
 */
export function keyFiguresOf(
  now: Counts | undefined,
  before: Counts | undefined,
  areAlike = true,
): readonly KeyFigure[] {
  const count = (title: string, of: (counts: Counts) => number): KeyFigure => {
    const value = now && of(now);
    const earlier = before === undefined || !areAlike ? 0 : of(before);
    const change = value === undefined ? undefined : percentOf(value - earlier, earlier);
    return { title, value, change, isUncertain, valueIn: of };
  };
  const isUncertain = before !== undefined && acceptedOf(before) < FEW;
  return [
    count("Accepted messages", acceptedOf),
    count("Notifications", notificationsOf),
    ...SHARES.map(({ series, good }): KeyFigure => {
      const valueIn = (counts: Counts): number | undefined => seriesShare(series, counts);
      const value = now && valueIn(now);
      const earlier = before && valueIn(before);
      const change = value === undefined || earlier === undefined ? undefined : pointsBetween(earlier, value);
      return { title: series.title, of: OUTCOMES.of, value, change, isUncertain, good, series, valueIn };
    }),
  ];
}

/** Formats a figure's value, or a dash without one. */
export function valueText({ value, of }: KeyFigure): string {
  if (value === undefined) return "–";
  return of === undefined ? formatCount(value) : formatPercent(value);
}

/** Formats a figure's change. Returns undefined without one. */
export function changeText({ change, of, isUncertain }: KeyFigure): string | undefined {
  if (change === undefined) return undefined;
  const text = of === undefined ? formatChange(change) : formatPoints(change);
  return isUncertain ? `${text}, few messages before` : text;
}

/**
 * Returns a figure's values by day or, in a long range, by week. Counts have none for incomplete weeks: these have fewer
 * days, which would look like a fall.
 */
export const trendOf = (
  { of, valueIn }: KeyFigure,
  rows: readonly ChartDay[],
  range: DayRange,
): readonly DayShare[] =>
  rowsByPeriod(rows, range, totalOf)
    .filter((row) => of !== undefined || !isIncomplete(row))
    .map(({ day, counts }) => ({ day, share: valueIn(counts) }));

/** Returns a change's direction. Returns undefined if nothing changed. */
export function directionOf({ change = 0 }: KeyFigure): "up" | "down" | undefined {
  if (change === 0) return undefined;
  return change > 0 ? "up" : "down";
}

/** Both ranges by day, and their incidents. */
export interface ComparedDays {
  readonly now: readonly ChartDay[];
  readonly before: readonly ChartDay[];
  readonly incidents: readonly Incident[];
  /** The incidents among them that are about exactly the messages in view. */
  readonly own: readonly Incident[];
}

/**
 * Rates a change of a share with the same test as comparisons. If there are too few days for the test, only an incident
 * supports a verdict. Undefined if the change may be due to chance, or if neither direction is better.
 */
export function verdictOf(
  { change = 0, isUncertain, good, series }: KeyFigure,
  { now, before, incidents, own }: ComparedDays,
): Verdict | undefined {
  if (good === undefined || series === undefined || change === 0 || isUncertain) return undefined;
  const { isBeyondChance } = differenceOf(
    samplesOf(before, series, incidents),
    samplesOf(now, series, incidents),
  );
  const hasFallen =
    series.key === "delivered" &&
    own.some((incident) => incident.outcome === "DELIVERED" && now.some(({ day }) => lasts(incident, day)));
  return supportedVerdict({ change, good, isBeyondChance, hasFallen });
}

/** Returns the messages of each day: in a category, and in total. */
export const samplesOf = (
  days: readonly ChartDay[],
  { countOf, base }: Pick<Series, "countOf" | "base">,
  incidents: readonly Incident[],
): readonly Sample[] =>
  days.map(({ day, counts }) => ({
    count: countOf(counts),
    of: base?.countOf(counts) ?? 0,
    isUsual: !incidents.some((incident) => isOfShare(incident) && lasts(incident, day)),
  }));
