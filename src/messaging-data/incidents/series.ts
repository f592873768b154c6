import { SLACK } from "./alarm-level.js";
import { type JudgedDay, RisingSum, type RunOfDays } from "./run-of-days.js";
import { scoreOf } from "./share.js";
import { START_DAYS } from "./start-of-history.js";
import type { UsualShare } from "./usual-share.js";

/** Days of marked days' own level. */
const ASIDE_DAYS = 28;

/**
 * The share of one outcome by day, in one label or the whole app, as far as it was judged. Shares are of what should not
 * happen: of `delivered`, the share that was not delivered.
 */
export class Series {
  /** Number of the outcome. */
  readonly outcome: number;
  readonly usual: UsualShare;
  readonly sum = new RisingSum();
  run: RunOfDays | undefined;
  /** The day that is judged. */
  readonly today: JudgedDay = {
    day: 0,
    accepted: 0,
    expected: 0,
    share: 0,
    variance: 0,
    precision: 0,
    score: 0,
  };
  #asideLevel = 0;
  #asideWeight = 0;
  #better = 0;
  #betterDays = 0;
  #betterLevel = 0;
  #betterWeight = 0;

  constructor(outcome: number, usual: UsualShare) {
    this.outcome = outcome;
    this.usual = usual;
  }

  /** Begins the judgement of a day, by what was usual before it. */
  begin(day: number, share: number, accepted: number, expected: number, variance: number): void {
    const { today } = this;
    this.usual.variance = variance;
    today.day = day;
    today.accepted = accepted;
    today.share = share;
    today.expected = expected;
    today.variance = variance;
    today.precision = this.usual.precision(accepted);
  }

  /** Scores the day's share; `shared` is the part of its shift that the whole app explains. */
  score(shared: number): void {
    const { today } = this;
    today.expected = Math.min(1, Math.max(0, today.expected + shared));
    today.score = scoreOf(
      today.share,
      today.expected,
      today.accepted,
      today.precision,
      this.usual.freedom(today.precision),
    );
  }

  /** Learns the day, which is unmarked. */
  learn(weekday: number, threshold: number, isStart: boolean): void {
    const { accepted, share, expected, score, precision } = this.today;
    this.usual.learnSpread(share - expected, accepted);
    this.#asideWeight = 0;
    if (isStart) return;
    this.usual.learn(share, accepted, weekday);
    this.#better = Math.max(0, Math.min(2 * threshold, this.#better - score - SLACK));
    if (this.#better === 0) {
      this.#betterDays = 0;
      this.#betterWeight = 0;
      return;
    }
    this.#betterDays++;
    this.#betterWeight += precision;
    this.#betterLevel += ((share - this.#betterLevel) * precision) / this.#betterWeight;
    if (this.#better < threshold || this.#betterDays < START_DAYS) return;
    this.usual.restart(this.#betterLevel, this.#betterWeight);
    this.#better = 0;
  }

  /** Keeps the day, which is marked, apart from what is usual. */
  setAside(): void {
    const { share, precision } = this.today;
    this.#asideWeight = this.#asideWeight * (1 - 1 / ASIDE_DAYS) + precision;
    this.#asideLevel += ((share - this.#asideLevel) * precision) / this.#asideWeight;
  }

  /** Takes for usual what was set aside since the last unmarked day. */
  acceptAside(): void {
    if (this.#asideWeight > 0) this.usual.restart(this.#asideLevel, this.#asideWeight);
    this.#asideWeight = 0;
    this.sum.reset();
  }
}
