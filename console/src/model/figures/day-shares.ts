import type { Day } from "#src/model/day.js";
import { OUTCOMES, shareOf } from "../numbers/categories.js";
import { FEW } from "../numbers/wilson.js";
import type { ChartDay } from "./chart-day.js";

/** The share of a day in percent; undefined if the denominator is 0. */
export interface DayShare {
  readonly day: Day;
  readonly share: number | undefined;
  /** True if the share of so few messages is uncertain. */
  readonly isUncertain?: boolean;
}

/** Range of shares, in percent, that several small charts have in common. */
export interface ShareSpan {
  readonly least: number;
  readonly most: number;
}

/** The delivered share of each day. */
export const deliveredShares = (days: readonly ChartDay[]): readonly DayShare[] =>
  days.map(({ day, counts }) => ({
    day,
    share: shareOf(counts, OUTCOMES, "delivered"),
    isUncertain: (counts.countMessagesAccepted ?? 0) < FEW,
  }));

/** A span of whole tens up to 100 % that fits all shares. */
export function shareSpanOf(shares: Iterable<number | undefined>): ShareSpan {
  let least = 90;
  for (const share of shares) if (share !== undefined) least = Math.min(least, share);
  return { least: Math.floor(least / 10) * 10, most: 100 };
}
