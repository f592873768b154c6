import { OUTCOMES } from "./daily-counts.js";

/** Shares nearer to 0 or 1 vary as this one does: rare outcomes come in clusters. */
const LEAST_SHARE = 0.005;
/** Scores below this need no correction for the skewness of counts. */
export const SYMMETRIC_SCORE = 1.5;

/** Variance of one message's outcome whose probability is `share`. */
export function varianceOf(share: number): number {
  const inside = boundedShare(share);
  return inside * (1 - inside);
}

function boundedShare(share: number): number {
  return Math.min(1 - LEAST_SHARE, Math.max(LEAST_SHARE, share));
}

/**
 * The distance of a share above the expected one, in standard deviations. Beyond {@link SYMMETRIC_SCORE} the exact score is needed.
 *
 * @param precision Messages that would vary as much if chance in counting were all.
 */
export function plainScore(share: number, expected: number, precision: number): number {
  return (share - expected) * Math.sqrt(precision / varianceOf(expected));
}

/**
 * The distance of a share above the expected one, as a standard normal score: the root of the deviance of a
 * binomial count with `precision` messages (quasi-likelihood), corrected for continuity.
 *
 * @param accepted Messages of the day.
 * @param precision Messages that would vary as much if chance in counting were all; at most `accepted`.
 * @param freedom Degrees of freedom of the estimated part of the variance, by which large scores shrink.
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

/** Daily shift, in standard deviations, above which scores add up. Faults of twice this size are found soonest. */
export const SLACK = 1.25;

/** False alarms per day of one label that are accepted. */
const LEVEL_OF_LABEL = 7e-4;
/** False alarms per day of all labels of an app together that are accepted. */
const LEVEL_OF_APP = 0.03;

/** Part of these that is accepted of falls of what is delivered; the other outcomes share the rest. */
const DELIVERED_PART = 0.75;

/**
 * The sums of scores at which an alarm is raised, by outcome, on a day on which `evaluated` labels have messages. With more
 * than a few dozen labels they grow with the logarithm of their number (Bonferroni), such that the false alarms of an app
 * remain bounded.
 */
export function alarmLevels(evaluated: number): Float64Array {
  const level = Math.min(LEVEL_OF_LABEL, LEVEL_OF_APP / evaluated);
  const other = threshold((level * (1 - DELIVERED_PART)) / (OUTCOMES.length - 1));
  const levels = new Float64Array(OUTCOMES.length).fill(other);
  levels[0] = threshold(level * DELIVERED_PART);
  return levels;
}

/** Siegmund's approximation of the threshold at which a sum of scores has `level` false alarms a day. */
function threshold(level: number): number {
  return Math.log((2 * SLACK * SLACK) / level) / (2 * SLACK) - 1.166;
}
