import type { Day } from "../../model/day.js";
import { SLACK } from "./alarm-level.js";

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

/** A day of a series, as it compares with what is usual. */
export interface JudgedDay {
  day: Day;
  accepted: number;
  /** Share of the messages that was usual. */
  expected: number;
  share: number;
  variance: number;
  precision: number;
  /** How far the share is above the expected one, in standard deviations. */
  score: number;
}

/** Odds of recovery, as a logarithm, that end a run. */
const RECOVERED = 5;
/** A larger deviation makes a run no easier to end. */
const MOST_DEVIATION = 3;

function noSums(): DaySums {
  return { accepted: 0, expected: 0, seen: 0, precision: 0, score: 0 };
}

function addDay(sums: DaySums, { accepted, expected, share, precision, score }: JudgedDay): void {
  sums.accepted += accepted;
  sums.expected += accepted * expected;
  sums.seen += accepted * share;
  sums.precision += precision;
  sums.score += Math.sqrt(precision) * score;
}

/** A run of days that are out of the ordinary, until days show a recovery. */
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

  /** Takes the next day; returns true if it shows that the run has ended on {@link lastDay}. */
  endsBefore(day: JudgedDay): boolean {
    const { accepted, expected, seen } = this.sums;
    const shift = Math.max(0, seen - expected) / accepted;
    const deviation = Math.min(MOST_DEVIATION, shift * Math.sqrt(day.precision / day.variance));
    this.#odds += (deviation * deviation) / 2 - deviation * day.score;
    if (this.#odds >= RECOVERED) return true;
    addDay(this.#later, day);
    this.#laterDays++;
    if (this.#odds > 0) return false;
    this.#odds = 0;
    this.lastDay = day.day;
    this.days += this.#laterDays;
    for (const key of Object.keys(this.sums) as (keyof DaySums)[]) this.sums[key] += this.#later[key];
    this.#later = noSums();
    this.#laterDays = 0;
    return false;
  }
}

/** The cumulative sum of scores (Page's CUSUM), with the days since it was zero. */
export class RisingSum {
  value = 0;
  startDay: Day = 0;
  days = 0;
  readonly sums = noSums();
  /** Messages that fell short of the usual deliveries on these days. */
  undelivered = 0;

  /** @param most Largest value that counts. */
  add(day: JudgedDay, undelivered: number, most: number): void {
    const next = this.value + day.score - SLACK;
    if (next <= 0) {
      if (this.value > 0) this.reset();
      return;
    }
    // Chance may raise the sum on the day before; a start that weighs little beside the day is not one.
    if (this.value < day.score / 4) {
      this.reset();
      this.startDay = day.day;
    }
    this.value = Math.min(next, most);
    this.days++;
    this.undelivered += undelivered;
    addDay(this.sums, day);
  }

  reset(): void {
    const { sums } = this;
    this.value = 0;
    this.days = 0;
    this.undelivered = 0;
    sums.accepted = 0;
    sums.expected = 0;
    sums.seen = 0;
    sums.precision = 0;
    sums.score = 0;
  }
}
