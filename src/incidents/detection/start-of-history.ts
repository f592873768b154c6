import { add, read } from "./columns.js";
import { varianceOf } from "./scores.js";

/** Days with messages that make a first idea of what is usual. */
export const START_DAYS = 14;

/** Estimates of the usual share from the first days of a series. */
export interface StartOfHistory {
  /** Usual share. */
  readonly level: number;
  /** Messages that support the level, discounted for the day-to-day variation of the share. */
  readonly weight: number;
  /** Variance of the share between days, beyond that of counts, relative to `share * (1 - share)`. */
  readonly spread: number;
  /** Difference of each weekday, from 0, from the level. */
  readonly weekdayShifts: Float64Array;
  /** Messages that support each of these. */
  readonly weekdayWeights: Float64Array;
}

/** Spread that is assumed before the days tell: a deviation of 1.3 points at a share of 90 %. */
const ASSUMED_SPREAD = 0.002;
/** Number of pairs of days that weigh as much as the assumption. */
const ASSUMED_PAIRS = 6;
/** Median of the squares of a standard normal variable. */
const MEDIAN_OF_SQUARES = 0.455;

/**
 * Reads what is usual from the first days, by medians: fewer than half of them may be out of the ordinary.
 *
 * @param shares Share of each day.
 * @param accepted Messages of each day.
 * @param weekdays Weekday of each day, from 0; the week may begin with any.
 * @param base Share from which `shares` are differences; 0 if they are whole.
 */
export function startOfHistory(
  shares: readonly number[],
  accepted: readonly number[],
  weekdays: readonly number[],
  base = 0,
): StartOfHistory {
  const weights = accepted.map((count) => 1 / (1 / count + ASSUMED_SPREAD));
  const raw = weightedMedian(shares, weights);
  const weekdayShifts = new Float64Array(7);
  const weekdayWeights = new Float64Array(7);
  const squares = shares.map((share) => (share - raw) ** 2);
  const ofPairs: number[] = [];
  const last: (number | undefined)[] = Array(7).fill(undefined);
  for (const [index, share] of shares.entries()) {
    const weekday = numberOf(weekdays, index);
    const shift = share - raw;
    const before = last[weekday];
    last[weekday] = shift;
    add(weekdayWeights, weekday, numberOf(weights, index));
    if (before === undefined) continue;
    // What both weeks show may be a rhythm; what one of them shows is not.
    weekdayShifts[weekday] =
      before * shift > 0 ? Math.sign(shift) * Math.min(Math.abs(before), Math.abs(shift)) : 0;
    ofPairs.push((shift - before) ** 2 / 2);
  }
  const variance = varianceOf(base + raw);
  // A rhythm widens the first, a fault of several days the second.
  const noise = Math.min(median(squares), median(ofPairs)) / MEDIAN_OF_SQUARES;
  const ofCounts = accepted.reduce((sum, count) => sum + 1 / count, 0) / Math.max(1, accepted.length);
  const seen = noise / variance - ofCounts;
  const pairs = ofPairs.length;
  const spread = (ASSUMED_PAIRS * ASSUMED_SPREAD + pairs * seen) / (ASSUMED_PAIRS + pairs);
  const level = weightedMedian(
    shares.map((share, index) => share - read(weekdayShifts, numberOf(weekdays, index))),
    weights,
  );
  const weight = accepted.reduce((sum, count) => sum + 1 / (1 / count + Math.max(0, spread)), 0);
  return { level, weight, spread, weekdayShifts, weekdayWeights };
}

function weightedMedian(values: readonly number[], weights: readonly number[]): number {
  const half = weights.reduce((sum, weight) => sum + weight, 0) / 2;
  let passed = 0;
  for (const index of ascending(values)) {
    passed += numberOf(weights, index);
    if (passed >= half) return numberOf(values, index);
  }
  return 0;
}

function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const order = ascending(values);
  const middle = (order.length - 1) / 2;
  const valueAt = (place: number): number => numberOf(values, numberOf(order, place));
  return (valueAt(Math.floor(middle)) + valueAt(Math.ceil(middle))) / 2;
}

/** Indexes of values in ascending order, by insertion: they are a dozen, of thousands of series. */
function ascending(values: readonly number[]): number[] {
  const order: number[] = [];
  for (let index = 0; index < values.length; index++) {
    const value = numberOf(values, index);
    let place = index;
    for (; place > 0 && numberOf(values, numberOf(order, place - 1)) > value; place--)
      order[place] = numberOf(order, place - 1);
    order[place] = index;
  }
  return order;
}

/** Reads a number of a list. Apart from the reads of other lists, which would slow it down. */
function numberOf(numbers: readonly number[], index: number): number {
  const number = numbers[index];
  if (number === undefined) throw new RangeError(`there is no number ${index}`);
  return number;
}
