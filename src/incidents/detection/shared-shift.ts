/** The labels of a day and one outcome, in parallel columns of which only the first `count` rows are used. */
export interface Panel {
  count: number;
  /** Share minus the usual share of each label. */
  readonly shifts: Float64Array;
  /** Variance of each of these by chance. */
  readonly variances: Float64Array;
  readonly accepted: Float64Array;
}

/** A shift that labels share. */
export interface SharedShift {
  /** Mean shift of the messages of the labels that agree; 0 if they have less than half of all messages. */
  readonly shift: number;
  /** Variance of the shift by chance. */
  readonly variance: number;
  /** Messages of the labels that agree. */
  readonly accepted: number;
}

/** A label's influence ends at this many standard deviations (Huber's constant). */
const HUBER = 1.345;
/** A label agrees up to this many standard deviations. */
const AGREEING = 3;
/** Steps of the iteration; it converges from above and below, and a rest does no harm. */
const STEPS = 8;

/**
 * What all labels, or most of them, share of their shifts: Huber's estimate of location, whose influence is bounded for
 * each label, then the mean over the labels that agree with it. A shift of one label alone, however large, leaves
 * it at what the others show.
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
