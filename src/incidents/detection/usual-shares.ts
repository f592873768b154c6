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

// Cells of a series.
/** Variance of one message's outcome at the usual share. */
const VARIANCE = 0;
const LEVEL = 1;
const WEIGHT = 2;
/** One divided by the weight. */
const UNCERTAINTY = 3;
/** Variation of the share between days, relative to the variance; chance may take the estimate below 0. */
const SPREAD = 4;
const SPREAD_WEIGHT = 5;
/** Variance between weekdays. */
const RHYTHM = 6;
/** Number of known weekdays, and sums over them: squares of their shifts, and noise in units of the variance. */
const WEEKDAYS = 7;
const SQUARES = 8;
const NOISE = 9;
const WIDTH = 10;

// Cells of a weekday of a series.
const SHIFT = 0;
const SHIFT_WEIGHT = 1;
/** One divided by the weight. */
const SHIFT_NOISE = 2;
const WEEKDAY_WIDTH = 3;

/**
 * What share of the messages is usual, of many series, from their unmarked days up to now: a level, differences of
 * weekdays as far as they are real, and the variation between days beyond that of counts. Older days count less.
 */
export class UsualShares {
  readonly #size: number;
  /** A row of cells for each series. */
  readonly #cells: Float64Array;
  /** For each weekday, a row of cells for each series: what is read on a day lies together. */
  readonly #weekdays: Float64Array;

  /** @param size Number of series. */
  constructor(size: number) {
    this.#size = size;
    this.#cells = new Float64Array(size * WIDTH);
    this.#weekdays = new Float64Array(7 * size * WEEKDAY_WIDTH);
  }

  /** Begins a series. */
  start(series: number, start: StartOfHistory, variance: number): void {
    const cells = this.#cells;
    const at = series * WIDTH;
    cells[at + VARIANCE] = variance;
    cells[at + SPREAD] = start.spread;
    cells[at + SPREAD_WEIGHT] = START_WEIGHT;
    let [weekdays, squares, noise] = [0, 0, 0];
    for (let weekday = 0; weekday < 7; weekday++) {
      const shift = start.weekdayShifts[weekday] ?? Number.NaN;
      const weight = start.weekdayWeights[weekday] ?? Number.NaN;
      if (weight === 0) continue;
      const own = this.#atWeekday(series, weekday);
      this.#weekdays[own + SHIFT] = shift;
      this.#weekdays[own + SHIFT_WEIGHT] = weight;
      this.#weekdays[own + SHIFT_NOISE] = 1 / weight;
      weekdays++;
      squares += shift ** 2;
      noise += 1 / weight;
    }
    cells[at + WEEKDAYS] = weekdays;
    cells[at + SQUARES] = squares;
    cells[at + NOISE] = noise;
    this.restart(series, start.level, start.weight);
    this.#weighRhythm(at);
  }

  /** Variance of one message's outcome at the usual share. */
  variance(series: number): number {
    return this.#cells[series * WIDTH + VARIANCE] ?? Number.NaN;
  }

  setVariance(series: number, variance: number): void {
    this.#cells[series * WIDTH + VARIANCE] = variance;
  }

  /** The usual share of a weekday. */
  expected(series: number, weekday: number): number {
    const cells = this.#cells;
    const at = series * WIDTH;
    const level = cells[at + LEVEL] ?? Number.NaN;
    const rhythm = cells[at + RHYTHM] ?? Number.NaN;
    if (rhythm === 0) return level;
    const own = this.#atWeekday(series, weekday);
    const noise = (cells[at + VARIANCE] ?? Number.NaN) / (this.#weekdays[own + SHIFT_WEIGHT] ?? Number.NaN);
    return level + ((this.#weekdays[own + SHIFT] ?? Number.NaN) * rhythm) / (rhythm + noise);
  }

  /**
   * Messages that would vary from the usual share as much as those of a day, if chance in counting were all.
   *
   * @param ofCounts One divided by the messages of the day.
   */
  precision(series: number, ofCounts: number): number {
    const at = series * WIDTH;
    return 1 / (ofCounts + this.#spread(at) + (this.#cells[at + UNCERTAINTY] ?? Number.NaN));
  }

  /** Degrees of freedom of the variance of a day with this precision (Satterthwaite). */
  freedom(series: number, precision: number): number {
    const at = series * WIDTH;
    const estimated = Math.max(this.#spread(at) * precision, 1e-3);
    return Math.min(MOST_FREEDOM, this.#cells[at + SPREAD_WEIGHT] ?? Number.NaN) / (estimated * estimated);
  }

  /** Learns only how much days vary. */
  learnSpread(series: number, day: EvaluatedDays): void {
    const cells = this.#cells;
    const at = series * WIDTH;
    if (cells[at + WEIGHT] === 0) return;
    const ofCounts = day.ofCounts[series] ?? Number.NaN;
    const informative = TYPICAL_SPREAD / (ofCounts + TYPICAL_SPREAD);
    const weight = informative * informative;
    const variance = cells[at + VARIANCE] ?? Number.NaN;
    const precision = day.precision[series] ?? Number.NaN;
    const shift = (day.share[series] ?? Number.NaN) - (day.expected[series] ?? Number.NaN);
    const square = shift * shift;
    const isFar = square * precision > MOST_DEVIATIONS ** 2 * variance;
    const seen = isFar ? MOST_DEVIATIONS ** 2 / precision : square / variance;
    const weights = (cells[at + SPREAD_WEIGHT] ?? Number.NaN) * (1 - 1 / SPREAD_DAYS) + weight;
    const spread = cells[at + SPREAD] ?? Number.NaN;
    const beyondChance = seen - ofCounts - (cells[at + UNCERTAINTY] ?? Number.NaN);
    cells[at + SPREAD_WEIGHT] = weights;
    cells[at + SPREAD] = spread + ((beyondChance - spread) * weight) / weights;
  }

  /** Learns the share of an unmarked day. */
  learn(series: number, day: EvaluatedDays, weekday: number): void {
    const cells = this.#cells;
    const at = series * WIDTH;
    const level = cells[at + LEVEL] ?? Number.NaN;
    const ofDay = (day.ofCounts[series] ?? Number.NaN) + this.#spread(at);
    const variation = ofDay + (cells[at + UNCERTAINTY] ?? Number.NaN);
    const expected = this.expected(series, weekday);
    const shift = bounded(
      (day.share[series] ?? Number.NaN) - expected,
      cells[at + VARIANCE] ?? Number.NaN,
      variation,
    );
    const weight = 1 / ofDay;
    const weights = (cells[at + WEIGHT] ?? Number.NaN) * (1 - 1 / LEVEL_DAYS) + weight;
    cells[at + WEIGHT] = weights;
    cells[at + UNCERTAINTY] = 1 / weights;
    cells[at + LEVEL] = level + (shift * weight) / weights;
    this.#learnWeekday(at, this.#atWeekday(series, weekday), expected + shift - level, weight);
  }

  #learnWeekday(at: number, own: number, fromLevel: number, weight: number): void {
    const cells = this.#cells;
    const weekdays = this.#weekdays;
    const before = weekdays[own + SHIFT] ?? Number.NaN;
    const known = weekdays[own + SHIFT_WEIGHT] ?? Number.NaN;
    const weights = known * (1 - 1 / WEEKDAY_DAYS) + weight;
    const after = before + ((fromLevel - before) * weight) / weights;
    const noise = 1 / weights;
    cells[at + SQUARES] = (cells[at + SQUARES] ?? Number.NaN) + after * after - before * before;
    cells[at + NOISE] =
      (cells[at + NOISE] ?? Number.NaN) + noise - (weekdays[own + SHIFT_NOISE] ?? Number.NaN);
    if (known === 0) cells[at + WEEKDAYS] = (cells[at + WEEKDAYS] ?? Number.NaN) + 1;
    weekdays[own + SHIFT] = after;
    weekdays[own + SHIFT_WEIGHT] = weights;
    weekdays[own + SHIFT_NOISE] = noise;
    this.#weighRhythm(at);
  }

  /** Takes another level for the usual one. */
  restart(series: number, level: number, weight: number): void {
    const at = series * WIDTH;
    this.#cells[at + LEVEL] = level;
    this.#cells[at + WEIGHT] = weight;
    this.#cells[at + UNCERTAINTY] = 1 / weight;
  }

  #atWeekday(series: number, weekday: number): number {
    return (weekday * this.#size + series) * WEEKDAY_WIDTH;
  }

  #spread(at: number): number {
    return Math.max(LEAST_SPREAD, this.#cells[at + SPREAD] ?? Number.NaN);
  }

  #weighRhythm(at: number): void {
    const cells = this.#cells;
    const weekdays = cells[at + WEEKDAYS] ?? Number.NaN;
    const beyondChance =
      (cells[at + SQUARES] ?? Number.NaN) -
      (cells[at + VARIANCE] ?? Number.NaN) * (cells[at + NOISE] ?? Number.NaN);
    cells[at + RHYTHM] = weekdays < 2 || beyondChance <= 0 ? 0 : beyondChance / weekdays;
  }
}

/** A shift, which is at most some standard deviations. */
function bounded(shift: number, variance: number, variation: number): number {
  if (shift * shift <= MOST_DEVIATIONS ** 2 * variance * variation) return shift;
  return Math.sign(shift) * MOST_DEVIATIONS * Math.sqrt(variance * variation);
}

/** A day of many series, as it compares with what is usual of each: parallel columns, by number of the series. */
export class EvaluatedDays {
  readonly accepted: Float64Array;
  /** One divided by the messages: the part of chance in counting in the variation of the share. */
  readonly ofCounts: Float64Array;
  /** Share of the messages that was usual. */
  readonly expected: Float64Array;
  readonly share: Float64Array;
  /** Messages that would vary as much if chance in counting were all. */
  readonly precision: Float64Array;
  /** The share minus the expected one, in standard deviations. */
  readonly score: Float64Array;

  /** @param size Number of series. */
  constructor(size: number) {
    this.accepted = new Float64Array(size);
    this.ofCounts = new Float64Array(size);
    this.expected = new Float64Array(size);
    this.share = new Float64Array(size);
    this.precision = new Float64Array(size);
    this.score = new Float64Array(size);
  }
}
