import { OUTCOMES } from "./daily-counts.js";

/**
 * Lower limit for shares in variances, and distance of the upper limit from 1. Rare outcomes come in clusters, so they
 * vary more than a small share suggests.
 */
const LEAST_SHARE = 0.005;
/** Scores below this need no correction for skewed counts. */
export const SYMMETRIC_SCORE = 1.5;

/** Variance of one message's outcome with probability `share`. */
export function varianceOf(share: number): number {
  const inside = boundedShare(share);
  return inside * (1 - inside);
}

function boundedShare(share: number): number {
  return Math.min(1 - LEAST_SHARE, Math.max(LEAST_SHARE, share));
}

/**
 * Distance of a share above the expected one, in standard deviations. Beyond {@link SYMMETRIC_SCORE}, use
 * {@link exactScore}.
 *
 * @param precision number of messages for which sampling noise equals the share's variation.
 */
export function plainScore(share: number, expected: number, precision: number): number {
  return (share - expected) * Math.sqrt(precision / varianceOf(expected));
}

/**
 * Distance of a share above the expected one, as a standard normal score: the square root of a binomial count's
 * deviance with `precision` messages (quasi-likelihood), with continuity correction.
 *
 * @param accepted messages of the day.
 * @param precision number of messages for which sampling noise equals the share's variation; at most `accepted`.
 * @param freedom degrees of freedom of the estimated variance. Few degrees shrink large scores.
 */
export function exactScore(
  share: number,
  expected: number,
  accepted: number,
  precision: number,
  freedom: number,
): number {
  const inside = boundedShare(expected);
  const above = Math.min(1, Math.max(inside, share - 0.5 / accepted));
  const below = 1 - above;
  const deviance =
    2 *
    precision *
    (above * Math.log(above / inside) + (below > 0 ? below * Math.log(below / (1 - inside)) : 0));
  // Wallace's approximation of the normal score of Student's t.
  return Math.sqrt(freedom * Math.log1p(Math.max(0, deviance) / freedom));
}

/** Probability that a standard normal variable exceeds a score of at least 0 (Abramowitz and Stegun, 26.2.17). */
export function upperTail(score: number): number {
  const t = 1 / (1 + 0.2316419 * score);
  const polynomial =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (Math.exp((-score * score) / 2) / Math.sqrt(2 * Math.PI)) * polynomial;
}

/** Daily shift, in standard deviations, above which scores add up. Shifts of twice this size are detected fastest. */
export const SLACK = 1.25;

/** Accepted number of false alarms per day and label. */
const LEVEL_OF_LABEL = 7e-4;
/** Accepted number of false alarms per day and app, for all labels together. */
const LEVEL_OF_APP = 0.03;

/** Fraction of the false alarms for falling deliveries. The other outcomes share the rest. */
const DELIVERED_PART = 0.75;

/**
 * Returns the scores that raise an alarm, by outcome, on a day with messages of `evaluated` labels. Above a few dozen
 * labels, they grow with the logarithm of that number (Bonferroni), which limits the false alarms of an app.
 */
export function alarmLevels(evaluated: number): Float64Array {
  const level = Math.min(LEVEL_OF_LABEL, LEVEL_OF_APP / evaluated);
  const other = threshold((level * (1 - DELIVERED_PART)) / (OUTCOMES.length - 1));
  const levels = new Float64Array(OUTCOMES.length).fill(other);
  levels[0] = threshold(level * DELIVERED_PART);
  return levels;
}

/** Siegmund's approximation of the threshold with `level` false alarms per day. */
function threshold(level: number): number {
  return Math.log((2 * SLACK * SLACK) / level) / (2 * SLACK) - 1.166;
}
