import type { StartOfHistory } from "./start-of-history.js";

/** The level follows this many of the last unmarked days. */
const LEVEL_DAYS = 28;
/** A weekday follows this many of its last unmarked days. */
const WEEKDAY_DAYS = 8;
/** The spread follows this many of the last unmarked days. */
const SPREAD_DAYS = 84;
/** Days by which the start of the history weighs in the spread. */
const START_WEIGHT = 5;
/** A day farther than this many standard deviations enters as if it were this far. */
const MOST_DEVIATIONS = 3;
/** Spread by which days are weighed for what they say about the spread. */
const TYPICAL_SPREAD = 0.002;

/**
 * What share of the messages is usual, from the unmarked days up to now: a level, differences of weekdays as far as
 * they are real, and the variation between days beyond that of counts. Older days count less.
 */
export class UsualShare {
  /** Variation of the share between days, relative to {@link variance} (the correlation of a beta-binomial count). */
  spread: number;
  /** Variance of one message's outcome at the usual share. */
  variance: number;
  #level: number;
  #weight: number;
  #spreadWeight = START_WEIGHT;
  readonly #weekdayShifts: Float64Array;
  readonly #weekdayWeights: Float64Array;
  /** Variance between weekdays. */
  #rhythm = 0;

  constructor(start: StartOfHistory, variance: number) {
    this.#level = start.level;
    this.#weight = start.weight;
    this.spread = start.spread;
    this.variance = variance;
    this.#weekdayShifts = start.weekdayShifts;
    this.#weekdayWeights = start.weekdayWeights;
    this.#weighRhythm();
  }

  /** The usual share of a weekday. */
  expected(weekday: number): number {
    if (this.#rhythm === 0) return this.#level;
    const noise = this.variance / (this.#weekdayWeights[weekday] ?? 0);
    return this.#level + ((this.#weekdayShifts[weekday] ?? 0) * this.#rhythm) / (this.#rhythm + noise);
  }

  /** Messages that would vary from the usual share as much as those of a day, if chance in counting were all. */
  precision(accepted: number): number {
    return 1 / (1 / accepted + this.spread + 1 / this.#weight);
  }

  /** Degrees of freedom of the variance of a day with this precision (Satterthwaite). */
  freedom(precision: number): number {
    const estimated = Math.max(this.spread * precision, 1e-3);
    return this.#spreadWeight / (estimated * estimated);
  }

  /** Learns only how much days vary. */
  learnSpread(shift: number, accepted: number): void {
    const informative = TYPICAL_SPREAD / (1 / accepted + TYPICAL_SPREAD);
    const weight = informative * informative;
    const square = Math.min((shift * shift) / this.variance, MOST_DEVIATIONS ** 2 / this.precision(accepted));
    this.#spreadWeight = this.#spreadWeight * (1 - 1 / SPREAD_DAYS) + weight;
    const seen = square - 1 / accepted - 1 / this.#weight;
    this.spread = Math.max(0, this.spread + ((seen - this.spread) * weight) / this.#spreadWeight);
  }

  /** Learns the share of an unmarked day. */
  learn(share: number, accepted: number, weekday: number): void {
    const expected = this.expected(weekday);
    const most = MOST_DEVIATIONS * Math.sqrt(this.variance / this.precision(accepted));
    const shift = Math.max(-most, Math.min(most, share - expected));
    const weight = 1 / (1 / accepted + this.spread);
    const fromLevel = expected + shift - this.#level;
    this.#weight = this.#weight * (1 - 1 / LEVEL_DAYS) + weight;
    this.#level += (shift * weight) / this.#weight;
    const weekdayWeight = (this.#weekdayWeights[weekday] ?? 0) * (1 - 1 / WEEKDAY_DAYS) + weight;
    this.#weekdayWeights[weekday] = weekdayWeight;
    const known = this.#weekdayShifts[weekday] ?? 0;
    this.#weekdayShifts[weekday] = known + ((fromLevel - known) * weight) / weekdayWeight;
    this.#weighRhythm();
  }

  /** Takes another level for the usual one. */
  restart(level: number, weight: number): void {
    this.#level = level;
    this.#weight = weight;
  }

  #weighRhythm(): void {
    let squares = 0;
    let noise = 0;
    let count = 0;
    for (let weekday = 0; weekday < 7; weekday++) {
      const weight = this.#weekdayWeights[weekday] ?? 0;
      if (weight === 0) continue;
      const shift = this.#weekdayShifts[weekday] ?? 0;
      squares += shift * shift;
      noise += this.variance / weight;
      count++;
    }
    this.#rhythm = count < 2 ? 0 : Math.max(0, (squares - noise) / count);
  }
}
