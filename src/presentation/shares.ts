/** Returns a count in percent. Returns undefined if the denominator is 0. */
export function percentOf(count: number, denominator: number): number | undefined {
  return denominator === 0 ? undefined : (100 * count) / denominator;
}

/** A confidence interval for a share, in percent. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Standard errors on each side of a 95 % interval. */
const Z_95 = 1.96;

/**
 * Returns Wilson's score interval (Wilson 1927) for `count` of `of` messages, by default with 95 % confidence. Unlike
 * the normal approximation, it stays within 0 and 100 %, and is not empty for 0 of 5.
 *
 * @param of at least 0; may be fractional.
 * @param z standard errors on each side.
 */
export function wilsonInterval(count: number, of: number, z = Z_95): Interval {
  if (of <= 0) return { low: 0, high: 100 };
  const share = count / of;
  const spread = (z * z) / of;
  const center = (share + spread / 2) / (1 + spread);
  const half = (z / (1 + spread)) * Math.sqrt((share * (1 - share)) / of + spread / (4 * of));
  return { low: 100 * Math.max(0, center - half), high: 100 * Math.min(1, center + half) };
}

/** Shares of fewer messages are uncertain: a share near 50 % has an error of 10 points or more. */
export const FEW = 100;
