import type { StartOfHistory } from "./start-of-history.js";

/** Number of recent unmarked days that determine the level. */
const LEVEL_DAYS = 28;
/** Number of recent unmarked days that determine a weekday's shift. */
const WEEKDAY_DAYS = 8;
/** Number of recent unmarked days that determine the spread. */
const SPREAD_DAYS = 84;
/** Weight of the initial spread, in days. */
const START_WEIGHT = 3;
/** Minimum spread. It corresponds to 0.4 percentage points at a share of 90 %. */
const LEAST_SPREAD = 0.0002;
/** Maximum deviation of a day that is learned, in standard deviations. */
const MOST_DEVIATIONS = 3;
/** Maximum degrees of freedom: days vary with heavier tails than a normal variable. */
const MOST_FREEDOM = 5;
/** Spread from which a day's weight in the spread is computed. */
const TYPICAL_SPREAD = 0.002;

// Cells of a series.
/** Variance of one message's outcome at the usual share. */
const VARIANCE = 0;
const LEVEL = 1;
const WEIGHT = 2;
/** Reciprocal of the weight. */
const UNCERTAINTY = 3;
/** Variation of the share between days, relative to the variance. Chance may make the estimate negative. */
const SPREAD = 4;
const SPREAD_WEIGHT = 5;
/** Variance between weekdays. */
const RHYTHM = 6;
/** Weekday statistics: number of known weekdays, sum of squared shifts, sum of noise in units of the variance. */
const WEEKDAYS = 7;
const SQUARES = 8;
const NOISE = 9;
const WIDTH = 10;

// Cells of a weekday of a series.
const SHIFT = 0;
const SHIFT_WEIGHT = 1;
/** Reciprocal of the weight. */
const SHIFT_NOISE = 2;
const WEEKDAY_WIDTH = 3;

/**
 * Usual shares of many series, estimated from unmarked days: a level, significant weekday shifts, and the variation
 * between days beyond sampling noise. Older days count less.
 */
export class UsualShares {
  readonly #size: number;
  /** A row of cells for each series. */
  readonly #cells: Float64Array;
  /** For each weekday, a row of cells for each series. The values for one day are next to each other. */
  readonly #weekdays: Float64Array;

  /** @param size number of series. */
  constructor(size: number) {
    this.#size = size;
    this.#cells = new Float64Array(size * WIDTH);
    this.#weekdays = new Float64Array(7 * size * WEEKDAY_WIDTH);
  }

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

  /** Returns the variance for a single message at the usual share. */
  variance(series: number): number {
    return this.#cells[series * WIDTH + VARIANCE] ?? Number.NaN;
  }

  setVariance(series: number, variance: number): void {
    this.#cells[series * WIDTH + VARIANCE] = variance;
  }

  /** Returns the usual share on a weekday. */
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
   * Returns the number of messages for which sampling noise equals a day's variation.
   *
   * @param ofCounts reciprocal of the number of messages on the day.
   */
  precision(series: number, ofCounts: number): number {
    const at = series * WIDTH;
    return 1 / (ofCounts + this.#spread(at) + (this.#cells[at + UNCERTAINTY] ?? Number.NaN));
  }

  /** Degrees of freedom of a day's variance with this precision (Satterthwaite). */
  freedom(series: number, precision: number): number {
    const at = series * WIDTH;
    const estimated = Math.max(this.#spread(at) * precision, 1e-3);
    return Math.min(MOST_FREEDOM, this.#cells[at + SPREAD_WEIGHT] ?? Number.NaN) / (estimated * estimated);
  }

  /** Updates only the estimated variation between days, not the usual share. */
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

  /** Updates the usual share with an unmarked day. */
  learn(series: number, day: EvaluatedDays, weekday: number): void {
    const cells = this.#cells;
    const at = series * WIDTH;
    const level = cells[at + LEVEL] ?? Number.NaN;
    const ofDay = (day.ofCounts[series] ?? Number.NaN) + this.#spread(at);
    const variation = ofDay + (cells[at + UNCERTAINTY] ?? Number.NaN);
    const expected = this.expected(series, weekday);
    const shift = limited(
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

  /** Replaces the usual level. */
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

/** Limits a shift to a few standard deviations. */
function limited(shift: number, variance: number, variation: number): number {
  if (shift * shift <= MOST_DEVIATIONS ** 2 * variance * variation) return shift;
  return Math.sign(shift) * MOST_DEVIATIONS * Math.sqrt(variance * variation);
}

/** A day of many series, compared with their usual shares: parallel columns, by series number. */
export class EvaluatedDays {
  readonly accepted: Float64Array;
  /** Reciprocal of the number of messages: the share's variance due to sampling noise. */
  readonly ofCounts: Float64Array;
  /** Usual share. */
  readonly expected: Float64Array;
  readonly share: Float64Array;
  /** Number of messages for which sampling noise equals the share's variation. */
  readonly precision: Float64Array;
  /** Share minus expected share, in standard deviations. */
  readonly score: Float64Array;

  /** @param size number of series. */
  constructor(size: number) {
    this.accepted = new Float64Array(size);
    this.ofCounts = new Float64Array(size);
    this.expected = new Float64Array(size);
    this.share = new Float64Array(size);
    this.precision = new Float64Array(size);
    this.score = new Float64Array(size);
  }
}
