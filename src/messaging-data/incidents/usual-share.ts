import type { StartOfHistory } from "./start-of-history.js";

/** The level follows this many of the last unmarked days. */
const LEVEL_DAYS = 28;
/** A weekday follows this many of its last unmarked days. */
const WEEKDAY_DAYS = 8;
/** The spread follows this many of the last unmarked days. */
const SPREAD_DAYS = 84;
/** Days by which the start of the history weighs in the spread. */
const START_WEIGHT = 3;
/** Days vary by at least this much: 0.4 points at a share of 90 %. */
const LEAST_SPREAD = 0.0002;
/** A day farther than this many standard deviations enters as if it were this far. */
const MOST_DEVIATIONS = 3;
/** Most degrees of freedom: days vary with heavier tails than a normal variable. */
const MOST_FREEDOM = 5;
/** Spread by which days are weighed for what they say about the spread. */
const TYPICAL_SPREAD = 0.002;

/**
 * What share of the messages is usual, from the unmarked days up to now: a level, differences of weekdays as far as
 * they are real, and the variation between days beyond that of counts. Older days count less.
 */
export class UsualShare {
  /** Variance of one message's outcome at the usual share. */
  variance: number;
  #level: number;
  #weight: number;
  /** Estimate of {@link spread}, which chance may take below 0. */
  #spread: number;
  #spreadWeight = START_WEIGHT;
  readonly #weekdayShifts: Float64Array;
  readonly #weekdayWeights: Float64Array;
  /** Variance between weekdays. */
  #rhythm = 0;
  /** Number of known weekdays, and sums over them: squares of their shifts, and noise in units of the variance. */
  #weekdays = 0;
  #squares = 0;
  #noise = 0;

  constructor(start: StartOfHistory, variance: number) {
    this.#level = start.level;
    this.#weight = start.weight;
    this.#spread = start.spread;
    this.variance = variance;
    this.#weekdayShifts = start.weekdayShifts;
    this.#weekdayWeights = start.weekdayWeights;
    for (const [weekday, weight] of start.weekdayWeights.entries()) {
      if (weight === 0) continue;
      this.#weekdays++;
      this.#squares += (start.weekdayShifts[weekday] ?? 0) ** 2;
      this.#noise += 1 / weight;
    }
    this.#weighRhythm();
  }

  /** Variation of the share between days, relative to {@link variance} (the correlation of a beta-binomial count). */
  get spread(): number {
    return Math.max(LEAST_SPREAD, this.#spread);
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
    return Math.min(MOST_FREEDOM, this.#spreadWeight) / (estimated * estimated);
  }

  /** Learns only how much days vary. */
  learnSpread(shift: number, accepted: number): void {
    if (this.#weight === 0) return;
    const informative = TYPICAL_SPREAD / (1 / accepted + TYPICAL_SPREAD);
    const weight = informative * informative;
    const square = Math.min((shift * shift) / this.variance, MOST_DEVIATIONS ** 2 / this.precision(accepted));
    this.#spreadWeight = this.#spreadWeight * (1 - 1 / SPREAD_DAYS) + weight;
    const seen = square - 1 / accepted - 1 / this.#weight;
    this.#spread += ((seen - this.#spread) * weight) / this.#spreadWeight;
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
    const known = this.#weekdayWeights[weekday] ?? 0;
    const weekdayWeight = known * (1 - 1 / WEEKDAY_DAYS) + weight;
    const before = this.#weekdayShifts[weekday] ?? 0;
    const after = before + ((fromLevel - before) * weight) / weekdayWeight;
    this.#weekdayWeights[weekday] = weekdayWeight;
    this.#weekdayShifts[weekday] = after;
    this.#squares += after * after - before * before;
    this.#noise += 1 / weekdayWeight - (known > 0 ? 1 / known : 0);
    if (known === 0) this.#weekdays++;
    this.#weighRhythm();
  }

  /** Takes another level for the usual one. */
  restart(level: number, weight: number): void {
    this.#level = level;
    this.#weight = weight;
  }

  #weighRhythm(): void {
    const between = (this.#squares - this.variance * this.#noise) / this.#weekdays;
    this.#rhythm = this.#weekdays < 2 ? 0 : Math.max(0, between);
  }
}
