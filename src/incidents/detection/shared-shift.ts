/** The same outcome in every label on one day, in parallel columns. Only the first `count` rows are used. */
export interface Panel {
  count: number;
  /** Difference between the share and the usual share, per label. */
  readonly shifts: Float64Array;
  /** Variance of each shift due to chance. */
  readonly variances: Float64Array;
  readonly accepted: Float64Array;
}

/** A shift that several labels have in common. */
export interface SharedShift {
  /** Mean shift of messages in agreeing labels. 0 if these have less than half of all messages. */
  readonly shift: number;
  /** Variance of the shift due to chance. */
  readonly variance: number;
  /** Number of messages of the labels that have this shift. */
  readonly accepted: number;
}

/** Standard deviations at which a label's influence stops growing (Huber's constant). */
const HUBER = 1.345;
/** Maximum distance of an agreeing label, in standard deviations. */
const AGREEING = 3;
/** Maximum number of iterations. The estimate converges from above and below, and a small error does no harm. */
const STEPS = 8;

/**
 * Estimates the shift that all or most labels share: Huber's estimate of location, which limits the influence of each
 * label, then the mean over all labels that agree with it. A shift of a single label, however large, does not change
 * the result.
 */
export function sharedShift(panel: Panel): SharedShift {
  const { count, shifts, variances, accepted } = panel;
  let messages = 0;
  let moved = 0;
  let variance = 0;
  for (let row = 0; row < count; row++) {
    const own = accepted[row] ?? Number.NaN;
    messages += own;
    moved += own * (shifts[row] ?? Number.NaN);
    variance += own * own * (variances[row] ?? Number.NaN);
  }
  const plain = { shift: moved / messages, variance: variance / (messages * messages), accepted: messages };
  if (count <= 1 || plain.shift * plain.shift <= plain.variance) return plain;

  let center = plain.shift;
  let precision = 0;
  for (let step = 0; step < STEPS; step++) {
    let weights = 0;
    let sum = 0;
    for (let row = 0; row < count; row++) {
      const own = variances[row] ?? Number.NaN;
      const shift = shifts[row] ?? Number.NaN;
      const far = Math.abs(shift - center) / Math.sqrt(own);
      const weight = (far > HUBER ? HUBER / far : 1) / own;
      weights += weight;
      sum += weight * shift;
    }
    const next = sum / weights;
    precision = weights;
    const isSettled = (next - center) ** 2 * weights < 0.01;
    center = next;
    if (isSettled) break;
  }

  let agreeing = 0;
  let largest = 0;
  let shared = 0;
  let sharedVariance = 0;
  for (let row = 0; row < count; row++) {
    const own = variances[row] ?? Number.NaN;
    const shift = shifts[row] ?? Number.NaN;
    const tolerance = Math.max(AGREEING * Math.sqrt(own + 1 / precision), Math.abs(center) / 2);
    if (Math.abs(shift - center) > tolerance) continue;
    const weight = accepted[row] ?? Number.NaN;
    agreeing += weight;
    largest = Math.max(largest, weight);
    shared += weight * shift;
    sharedVariance += weight * weight * own;
  }
  const isShared = 2 * agreeing >= messages && 2 * (agreeing - largest) >= messages - largest;
  if (!isShared) return { ...plain, shift: 0 };
  return { shift: shared / agreeing, variance: sharedVariance / (agreeing * agreeing), accepted: agreeing };
}
