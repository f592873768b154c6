/** The bounds of a share in percent. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Standard errors on each side of a 95 % interval. */
const Z_95 = 1.96;

/**
 * Wilson's score interval of a share (Wilson 1927): where the true share lies with 95 % confidence, if `count` of
 * `of` messages had an outcome by chance. Unlike the share plus or minus its error, it stays within 0 and 100 %, and
 * is not empty for 0 of 5.
 * @param of at least 0; may be fractional
 * @param z standard errors on each side
 */
export function wilsonInterval(count: number, of: number, z = Z_95): Interval {
  if (of <= 0) return { low: 0, high: 100 };
  const share = count / of;
  const spread = (z * z) / of;
  const center = (share + spread / 2) / (1 + spread);
  const half = (z / (1 + spread)) * Math.sqrt((share * (1 - share)) / of + spread / (4 * of));
  return { low: 100 * Math.max(0, center - half), high: 100 * Math.min(1, center + half) };
}

/** Fewer messages than this make a share uncertain: chance alone moves a half by 10 points and more. */
export const FEW = 100;
