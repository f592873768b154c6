import type { Day } from "../../../../src/model/day.js";
import type { DayRange } from "../days/day-range.js";
import { percentOf } from "../numbers/counts.js";
import type { ChartDay } from "./chart-day.js";

/** A day with a clearly lower delivered share than the days before it. */
export interface Standout {
  readonly day: Day;
  /** Delivered messages in percent of accepted messages. */
  readonly share: number;
  /** Median share of the days before, in percent. */
  readonly usual: number;
  /** Least share that would not stand out, in percent. */
  readonly expected: number;
  /** Number of earlier days in the median. */
  readonly basis: number;
}

/** Parameters of the rule. */
export const RULE = {
  /** Least accepted messages of a day that counts. Shares of fewer messages are random. */
  minAccepted: 50,
  /** Number of days before that are searched. */
  window: 28,
  /** Most earlier days with enough messages that enter the median. */
  maxBasis: 14,
  /** Least earlier days with enough messages for a verdict. */
  minBasis: 7,
  /** Least drop below the median, in percentage points. */
  minDrop: 5,
  /** Least drop below the median, in standard deviations estimated from the median absolute deviation. */
  deviations: 3,
} as const;

/** Ratio of the standard deviation to the median absolute deviation in a normal distribution. */
const MAD_TO_DEVIATION = 1.4826;

/** The rule in words, as the page shows it. */
export const RULE_IN_WORDS =
  `A day stands out if its delivered share lies more than ${RULE.minDrop} percentage points, and more than ` +
  `${RULE.deviations} × ${MAD_TO_DEVIATION} × the median absolute deviation, below the median of the last ` +
  `${RULE.maxBasis} days before it. Only days with at least ${RULE.minAccepted} accepted messages count, of the ` +
  `${RULE.window} days before; there must be ${RULE.minBasis} of them.`;

/**
 * The days of a range that stand out, latest first.
 * @param rows days of the range and of the {@link RULE.window} days before it, which the first days are
 * compared with
 */
export function standoutsOf(rows: readonly ChartDay[], range: DayRange): readonly Standout[] {
  const shares = rows
    .flatMap(({ day, counts: { countMessagesAccepted = 0, delivered = 0 } }) => {
      const share = percentOf(delivered, countMessagesAccepted);
      return share === undefined || countMessagesAccepted < RULE.minAccepted ? [] : [{ day, share }];
    })
    .sort((a, b) => b.day - a.day);
  return shares.flatMap(({ day, share }, index) => {
    if (day < range.first || day > range.last) return [];
    const before = shares
      .slice(index + 1, index + 1 + RULE.maxBasis)
      .filter((other) => other.day >= day - RULE.window)
      .map((other) => other.share);
    if (before.length < RULE.minBasis) return [];
    const usual = medianOf(before);
    const deviation = MAD_TO_DEVIATION * medianOf(before.map((other) => Math.abs(other - usual)));
    const expected = usual - Math.max(RULE.minDrop, RULE.deviations * deviation);
    return share < expected ? [{ day, share, usual, expected, basis: before.length }] : [];
  });
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
