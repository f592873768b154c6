import { OUTCOMES, PERFORMANCE, shareOf, UNACCOUNTED, unaccountedOf } from "../numbers/categories.js";
import { type Counts, percentOf, pointsBetween } from "../numbers/counts.js";
import { formatChange, formatCount, formatPercent, formatPoints } from "../numbers/format-number.js";

/** A figure of a range, with its change from the range before. */
export interface KeyFigure {
  readonly title: string;
  /** Denominator of a share, in words; undefined for a count. */
  readonly of?: string;
  /** A count, or a percentage if `of` is given. Undefined while loading or if the denominator is 0. */
  readonly value: number | undefined;
  /** Percent for a count, percentage points for a share. Undefined if there is nothing alike to compare with. */
  readonly change: number | undefined;
  /** The direction that is good; undefined if neither is. */
  readonly good?: "up" | "down";
  /** The value of other counts, such as those of a day. */
  readonly valueIn: (counts: Counts) => number | undefined;
}

/** Least change of a share, in percentage points, that is called better or worse. */
const MIN_CHANGE = 1;

/**
 * The key figures of a range.
 * @param now sum of the counts of the range; undefined while loading
 * @param before sum of the counts of the range before
 * @param areAlike false if the sums are of different numbers of days: their shares can be compared, their
 * counts cannot
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
    count("Accepted messages", ({ countMessagesAccepted = 0 }) => countMessagesAccepted),
    count("Notifications", ({ countNotificationsAccepted = 0 }) => countNotificationsAccepted),
    share("Delivered", "up", (counts) => shareOf(counts, OUTCOMES, "delivered")),
    share("Delivered without delay", "up", (counts) => shareOf(counts, PERFORMANCE, "deliveredNoDelay")),
    share(UNACCOUNTED.title, "down", (counts) =>
      percentOf(Math.max(0, unaccountedOf(counts, OUTCOMES)), counts.countMessagesAccepted ?? 0),
    ),
  ];
}

/** Words the value of a figure; a dash if it has none. */
export function valueText({ value, of }: KeyFigure): string {
  if (value === undefined) return "–";
  return of === undefined ? formatCount(value) : formatPercent(value);
}

/** Words the change of a figure; undefined if it has none. */
export function changeText({ change, of }: KeyFigure): string | undefined {
  if (change === undefined) return undefined;
  return of === undefined ? formatChange(change) : formatPoints(change);
}

/** The direction in which a figure changed; undefined if it did not. */
export function directionOf({ change = 0 }: KeyFigure): "up" | "down" | undefined {
  if (change === 0) return undefined;
  return change > 0 ? "up" : "down";
}

/** Says whether the change of a figure is good; undefined if it is small, or neither good nor bad. */
export function verdictOf({ change = 0, good }: KeyFigure): "better" | "worse" | undefined {
  if (good === undefined || Math.abs(change) < MIN_CHANGE) return undefined;
  return change > 0 === (good === "up") ? "better" : "worse";
}
