import type { Day } from "../../model/day.js";
import type { DaySums } from "./run-of-days.js";
import { SLACK } from "./scores.js";
import type { EvaluatedDays } from "./usual-shares.js";

// Cells of a series.
const START_DAY = 0;
const DAYS = 1;
const UNDELIVERED = 2;
const ACCEPTED = 3;
const EXPECTED = 4;
const SEEN = 5;
const PRECISION = 6;
const SCORE = 7;
const WIDTH = 8;

/** Sums over the days since a score sum was zero. */
export interface RisenDays {
  readonly startDay: Day;
  readonly days: number;
  readonly sums: DaySums;
  /** Missing deliveries on these days, compared with the usual number. */
  readonly undelivered: number;
}

/**
 * Cumulative sums of scores (Page's CUSUM) for many series. Each series also has sums over the days since its score sum
 * was zero.
 */
export class RisingSums {
  /** Score sum of each series; usually 0. */
  readonly #values: Float64Array;
  /** For each score sum above 0, a row of cells with sums over its days. */
  readonly #cells: Float64Array;

  /** @param size number of series. */
  constructor(size: number) {
    this.#values = new Float64Array(size);
    this.#cells = new Float64Array(size * WIDTH);
  }

  value(series: number): number {
    return this.#values[series] ?? Number.NaN;
  }

  /**
   * Adds a day's score.
   *
   * @param delivered series of `delivered` for the same messages.
   * @param most maximum value of the sum.
   */
  add(series: number, day: Day, days: EvaluatedDays, delivered: number, most: number): void {
    const value = this.#values[series] ?? Number.NaN;
    const next = value + (days.score[series] ?? Number.NaN) - SLACK;
    this.#values[series] = Math.max(0, Math.min(next, most));
    if (next > 0) this.#addDay(series, day, days, delivered, value);
  }

  /** @param value sum before this day. */
  #addDay(series: number, day: Day, days: EvaluatedDays, delivered: number, value: number): void {
    const cells = this.#cells;
    const at = series * WIDTH;
    const score = days.score[series] ?? Number.NaN;
    // Chance can have raised the sum on the day before. If that sum is small compared with this day, the run starts
    // today.
    if (value < score / 4) {
      for (let cell = at; cell < at + WIDTH; cell++) cells[cell] = 0;
      cells[at + START_DAY] = day;
    }
    const accepted = days.accepted[series] ?? Number.NaN;
    const precision = days.precision[series] ?? Number.NaN;
    const undelivered = (days.share[delivered] ?? Number.NaN) - (days.expected[delivered] ?? Number.NaN);
    cells[at + DAYS] = (cells[at + DAYS] ?? Number.NaN) + 1;
    cells[at + UNDELIVERED] =
      (cells[at + UNDELIVERED] ?? Number.NaN) + (days.accepted[delivered] ?? Number.NaN) * undelivered;
    cells[at + ACCEPTED] = (cells[at + ACCEPTED] ?? Number.NaN) + accepted;
    cells[at + EXPECTED] =
      (cells[at + EXPECTED] ?? Number.NaN) + accepted * (days.expected[series] ?? Number.NaN);
    cells[at + SEEN] = (cells[at + SEEN] ?? Number.NaN) + accepted * (days.share[series] ?? Number.NaN);
    cells[at + PRECISION] = (cells[at + PRECISION] ?? Number.NaN) + precision;
    cells[at + SCORE] = (cells[at + SCORE] ?? Number.NaN) + Math.sqrt(precision) * score;
  }

  /** Messages since the sum was zero. */
  accepted(series: number): number {
    return this.#cells[series * WIDTH + ACCEPTED] ?? Number.NaN;
  }

  /** Messages since then beyond the usual number. */
  excess(series: number): number {
    const at = series * WIDTH;
    return (this.#cells[at + SEEN] ?? Number.NaN) - (this.#cells[at + EXPECTED] ?? Number.NaN);
  }

  /** Returns the sums over all days since the series' score sum was zero. */
  risenDays(series: number): RisenDays {
    const at = series * WIDTH;
    const cell = (number: number): number => this.#cells[at + number] ?? Number.NaN;
    return {
      startDay: cell(START_DAY),
      days: cell(DAYS),
      undelivered: cell(UNDELIVERED),
      sums: {
        accepted: cell(ACCEPTED),
        expected: cell(EXPECTED),
        seen: cell(SEEN),
        precision: cell(PRECISION),
        score: cell(SCORE),
      },
    };
  }

  reset(series: number): void {
    this.#values[series] = 0;
  }
}
