import type { Day } from "../../model/day.js";
import type { EvaluatedDays } from "./usual-shares.js";

export interface DaySums {
  accepted: number;
  expected: number;
  seen: number;
  /** Number of messages for which chance would cause the same variation. */
  precision: number;
  /** Sum of scores, each times the square root of its precision. */
  score: number;
}

/** Log odds of a recovery at which a run ends. */
const RECOVERED = 5;
/** Maximum deviation in the odds. A larger deviation does not make it easier to end the run. */
const MOST_DEVIATION = 3;

function noSums(): DaySums {
  return { accepted: 0, expected: 0, seen: 0, precision: 0, score: 0 };
}

/** A run of deviating days of a series. It ends when later days show a recovery. */
export class RunOfDays {
  readonly startDay: Day;
  lastDay: Day;
  days: number;
  readonly sums: DaySums;
  /** Sums over days after {@link lastDay}, which may be part of a recovery. */
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
   * Adds the next day of the series.
   *
   * @param variance variance for a single message.
   * @returns true if the day shows that the run ended on {@link lastDay}.
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
