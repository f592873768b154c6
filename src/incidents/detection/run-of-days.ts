import type { Day } from "../../model/day.js";
import type { EvaluatedDays } from "./usual-shares.js";

/** Sums over days of messages, expected and seen. */
export interface DaySums {
  accepted: number;
  expected: number;
  seen: number;
  /** Messages that would vary as much if chance in counting were all. */
  precision: number;
  /** Scores, each times the root of its precision. */
  score: number;
}

/** Odds of recovery, as a logarithm, that end a run. */
const RECOVERED = 5;
/** A larger deviation makes a run no easier to end. */
const MOST_DEVIATION = 3;

function noSums(): DaySums {
  return { accepted: 0, expected: 0, seen: 0, precision: 0, score: 0 };
}

/** A run of days of a series that are out of the ordinary, until days show a recovery. */
export class RunOfDays {
  readonly startDay: Day;
  lastDay: Day;
  days: number;
  readonly sums: DaySums;
  /** Days after {@link lastDay} that may be of a recovery. */
  #later = noSums();
  #laterDays = 0;
  #odds = 0;

  constructor(startDay: Day, lastDay: Day, days: number, sums: DaySums) {
    this.startDay = startDay;
    this.lastDay = lastDay;
    this.days = days;
    this.sums = sums;
  }

  /**
   * Takes the next day of its series; returns true if it shows that the run has ended on {@link lastDay}.
   *
   * @param variance Variance of one message's outcome.
   */
  endsBefore(day: Day, evaluated: EvaluatedDays, series: number, variance: number): boolean {
    const accepted = evaluated.accepted[series] ?? Number.NaN;
    const precision = evaluated.precision[series] ?? Number.NaN;
    const score = evaluated.score[series] ?? Number.NaN;
    const shift = Math.max(0, this.sums.seen - this.sums.expected) / this.sums.accepted;
    const deviation = Math.min(MOST_DEVIATION, shift * Math.sqrt(precision / variance));
    this.#odds += (deviation * deviation) / 2 - deviation * score;
    if (this.#odds >= RECOVERED) return true;
    this.#later.accepted += accepted;
    this.#later.expected += accepted * (evaluated.expected[series] ?? Number.NaN);
    this.#later.seen += accepted * (evaluated.share[series] ?? Number.NaN);
    this.#later.precision += precision;
    this.#later.score += Math.sqrt(precision) * score;
    this.#laterDays++;
    if (this.#odds > 0) return false;
    this.#odds = 0;
    this.lastDay = day;
    this.days += this.#laterDays;
    for (const key of Object.keys(this.sums) as (keyof DaySums)[]) this.sums[key] += this.#later[key];
    this.#later = noSums();
    this.#laterDays = 0;
    return false;
  }
}
