import { add, read } from "./columns.js";
import { varianceOf } from "./scores.js";

/** Number of days with messages that determine the first usual shares. */
export const START_DAYS = 14;

/** Estimates from the first days of a series. */
export interface StartOfHistory {
  /** Usual share of the outcome. */
  readonly level: number;
  /** Messages behind the level, reduced for day-to-day variation. */
  readonly weight: number;
  /** Variance of the share between days, beyond sampling noise, relative to `share * (1 - share)`. */
  readonly spread: number;
  /** Difference between each weekday, from 0, and the level. */
  readonly weekdayShifts: Float64Array;
  /** Number of messages from which each weekday shift was estimated. */
  readonly weekdayWeights: Float64Array;
}

/** Assumed spread before enough days are known: a deviation of 1.3 points at a share of 90 %. */
const ASSUMED_SPREAD = 0.002;
/** Number of day pairs with the same weight as the assumption. */
const ASSUMED_PAIRS = 6;
/** Median of a squared standard normal variable. */
const MEDIAN_OF_SQUARES = 0.455;

/**
 * Estimates the usual shares from the first days, by medians: up to half of the days may deviate.
 *
 * @param shares share of each day.
 * @param accepted messages of each day.
 * @param weekdays weekday of each day, from 0. The week may begin with any day.
 * @param base share to which `shares` are differences; 0 if they are absolute.
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
    // A shift that occurs in both weeks can be a weekly rhythm. A shift in one week only is ignored.
    weekdayShifts[weekday] =
      before * shift > 0 ? Math.sign(shift) * Math.min(Math.abs(before), Math.abs(shift)) : 0;
    ofPairs.push((shift - before) ** 2 / 2);
  }
  const variance = varianceOf(base + raw);
  // A weekly rhythm increases the first estimate, a problem of several days the second.
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

/** Indexes of values in ascending order, by insertion sort: a dozen values, for thousands of series. */
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

/** Reads a number. A separate function keeps reads fast, because the compiler optimizes it for one kind of list. */
function numberOf(numbers: readonly number[], index: number): number {
  const number = numbers[index];
  if (number === undefined) throw new RangeError(`index ${index} is out of range`);
  return number;
}
