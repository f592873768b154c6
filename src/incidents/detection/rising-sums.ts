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

/** The days since a sum was zero. */
export interface RisenDays {
  readonly startDay: Day;
  readonly days: number;
  readonly sums: DaySums;
  /** Messages that fell short of the usual deliveries on these days. */
  readonly undelivered: number;
}

/** The cumulative sums of scores (Page's CUSUM) of many series, with the days since each was zero. */
export class RisingSums {
  /** The sums. Most are 0. */
  readonly #values: Float64Array;
  /** Of each sum above 0, a row of cells with what its days have in common. */
  readonly #cells: Float64Array;

  /** @param size Number of series. */
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
   * @param delivered The series of `delivered` of the same messages.
   * @param most Largest value that counts.
   */
  add(series: number, day: Day, days: EvaluatedDays, delivered: number, most: number): void {
    const value = this.#values[series] ?? Number.NaN;
    const next = value + (days.score[series] ?? Number.NaN) - SLACK;
    this.#values[series] = Math.max(0, Math.min(next, most));
    if (next > 0) this.#addDay(series, day, days, delivered, value);
  }

  /** @param value The sum before this day. */
  #addDay(series: number, day: Day, days: EvaluatedDays, delivered: number, value: number): void {
    const cells = this.#cells;
    const at = series * WIDTH;
    const score = days.score[series] ?? Number.NaN;
    // Chance may raise the sum on the day before; a start that weighs little beside the day is not one.
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

  /** Those of them by which the days differ from what is usual. */
  excess(series: number): number {
    const at = series * WIDTH;
    return (this.#cells[at + SEEN] ?? Number.NaN) - (this.#cells[at + EXPECTED] ?? Number.NaN);
  }

  /** The days of a sum that is above zero. */
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
