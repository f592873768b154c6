import { OUTCOMES, PERFORMANCE, shareOf, UNACCOUNTED, unaccountedOf } from "../numbers/categories.js";
import { acceptedOf, type Counts, notificationsOf, percentOf, pointsBetween } from "../numbers/counts.js";
import { formatChange, formatCount, formatPercent, formatPoints } from "../numbers/format-number.js";

/** A figure for a range, with its change since the earlier range. */
export interface KeyFigure {
  readonly title: string;
  /** A share's denominator, in words. Undefined for a count. */
  readonly of?: string;
  /** A count, or a percentage if `of` is set. Undefined while loading or if the denominator is 0. */
  readonly value: number | undefined;
  /** Percent for a count, percentage points for a share. Undefined without comparable earlier data. */
  readonly change: number | undefined;
  /** The direction that is better. Undefined if neither is. */
  readonly good?: "up" | "down";
  /** Computes the figure from other counts, such as a single day. */
  readonly valueIn: (counts: Counts) => number | undefined;
}

/** Minimum change of a share, in percentage points, to be marked better or worse. */
const MIN_CHANGE = 1;

/**
 * Computes key figures. * @param now sum for the range, undefined while loading * @param before sum for the earlier
 * range * @param areAlike false if the sums cover different numbers of days, so that only shares can be compared
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
    return { title, value, change, valueIn: of };
  };
  const share = (
    title: string,
    good: "up" | "down",
    of: (counts: Counts) => number | undefined,
  ): KeyFigure => {
    const value = now && of(now);
    const earlier = before && of(before);
    const change = value === undefined || earlier === undefined ? undefined : pointsBetween(earlier, value);
    return { title, of: OUTCOMES.of, value, change, good, valueIn: of };
  };
  return [
    count("Accepted messages", acceptedOf),
    count("Notifications", notificationsOf),
    share("Delivered", "up", (counts) => shareOf(counts, OUTCOMES, "delivered")),
    share("Delivered without delay", "up", (counts) => shareOf(counts, PERFORMANCE, "deliveredNoDelay")),
    share(UNACCOUNTED.title, "down", (counts) =>
      percentOf(Math.max(0, unaccountedOf(counts, OUTCOMES)), acceptedOf(counts)),
    ),
  ];
}

/** Formats a figure's value, or a dash without one. */
export function valueText({ value, of }: KeyFigure): string {
  if (value === undefined) return "–";
  return of === undefined ? formatCount(value) : formatPercent(value);
}

/** Formats a figure's change. Returns undefined without one. */
export function changeText({ change, of }: KeyFigure): string | undefined {
  if (change === undefined) return undefined;
  return of === undefined ? formatChange(change) : formatPoints(change);
}

/** Returns a change's direction. Returns undefined if nothing changed. */
export function directionOf({ change = 0 }: KeyFigure): "up" | "down" | undefined {
  if (change === 0) return undefined;
  return change > 0 ? "up" : "down";
}

/** Rates a change. Returns undefined if it is small, or neither better nor worse. */
export function verdictOf({ change = 0, good }: KeyFigure): "better" | "worse" | undefined {
  if (good === undefined || Math.abs(change) < MIN_CHANGE) return undefined;
  return change > 0 === (good === "up") ? "better" : "worse";
}
