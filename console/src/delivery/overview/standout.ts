import type { Day } from "../../../../src/model/day.js";
import type { ChartDay } from "../../charts/chart-day.js";
import type { DayRange } from "../../days/day-range.js";
import { percentOf } from "../../numbers/counts.js";

/** A day on which clearly fewer messages were delivered than on the days before it. */
export interface Standout {
  readonly day: Day;
  /** Delivered, in percent of accepted messages. */
  readonly share: number;
  /** The median of the days before, in percent. */
  readonly usual: number;
  /** The least share that would not stand out, in percent. */
  readonly expected: number;
  /** How many days before were taken into account. */
  readonly basis: number;
}

/** The rule, in numbers. */
export const RULE = {
  /** A day with fewer accepted messages says nothing: its share is left to chance. */
  minAccepted: 50,
  /** So many days before are looked through… */
  window: 28,
  /** …for at most so many with enough messages… */
  maxBasis: 14,
  /** …and at least so many. */
  minBasis: 7,
  /** Percentage points. */
  minDrop: 5,
  /** In standard deviations, as estimated from the median absolute deviation. */
  deviations: 3,
} as const;

/** What makes the median absolute deviation an estimate of the standard deviation, if shares are distributed normally. */
const MAD_TO_DEVIATION = 1.4826;

/** The rule, in words. */
export const RULE_IN_WORDS =
  `A day stands out if its delivered share lies more than ${RULE.minDrop} percentage points, and more than ` +
  `${RULE.deviations} × ${MAD_TO_DEVIATION} × the median absolute deviation, below the median of the last ` +
  `${RULE.maxBasis} days before it. Only days with at least ${RULE.minAccepted} accepted messages count, of the ` +
  `${RULE.window} days before; there must be ${RULE.minBasis} of them.`;

/**
 * The days of a range that stand out, the latest first.
 *
 * @param rows also of the {@link RULE.window} days before the range, as the first days are held against them
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
