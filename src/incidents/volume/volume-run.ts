import type { Day } from "../../model/day.js";
import { upperTail } from "../detection/scores.js";
import type { VolumeKind } from "./volume-incident.js";

export interface VolumeDay {
  readonly day: Day;
  readonly count: number;
  /** Usual number of messages on the day. */
  readonly expected: number;
  /** Variance of the count's logarithm. */
  readonly variance: number;
  /** Distance of the number's logarithm from the usual one, in standard deviations. */
  readonly score: number;
  /** True if there were almost no messages. */
  readonly isLow: boolean;
  /** True if there were several times the usual number of messages. */
  readonly isHigh: boolean;
}

/** Log odds of a recovery at which a fall or rise ends. */
const RECOVERED = 5;
/** Maximum deviation in the odds. Because of this limit, one usual day can end even a large fall. */
const MOST_DEVIATION = 4;
/** Fraction of the usual number of messages that ends a silence. */
const RETURNED = 0.3;

/** A run of days with fewer or more messages than usual. */
export class VolumeRun {
  readonly direction: "fewer" | "more";
  readonly days: VolumeDay[];
  /** Probability of a day with almost no messages, estimated before the run. */
  readonly #lowProbability: number;
  /** Days after the run that may belong to a recovery. */
  later: VolumeDay[] = [];
  #odds = 0;

  constructor(direction: "fewer" | "more", days: readonly VolumeDay[], lowProbability: number) {
    this.direction = direction;
    this.days = [...days];
    this.#lowProbability = lowProbability;
  }

  get startDay(): Day {
    return this.days[0]?.day ?? Number.NaN;
  }

  get lastDay(): Day {
    return this.days.at(-1)?.day ?? Number.NaN;
  }

  get kind(): VolumeKind {
    if (this.direction === "more") return "rise";
    return 2 * this.#lowDays >= this.days.length ? "silence" : "fall";
  }

  get #lowDays(): number {
    return this.days.filter(({ isLow }) => isLow).length;
  }

  /** Adds the next day. @returns true if the day shows that the run ended on {@link lastDay}. */
  endsBefore(day: VolumeDay): boolean {
    if (this.kind === "silence") {
      if (day.count >= RETURNED * day.expected) return true;
    } else {
      const deviation = Math.max(0, Math.min(MOST_DEVIATION, this.#meanDeviation()));
      this.#odds += deviation ** 2 / 2 - deviation * this.#deviationOf(day);
      if (this.#odds >= RECOVERED) return true;
      if (this.#odds > 0) {
        this.later.push(day);
        return false;
      }
    }
    this.#odds = 0;
    this.days.push(...this.later, day);
    this.later = [];
    return false;
  }

  /** Confidence that the run is not due to chance. @param evaluated number of evaluated series. */
  confidence(evaluated: number): number {
    const lowDays = this.#lowDays;
    const ofLows = lowDays === 0 ? 1 : this.#lowProbability ** lowDays;
    const ofScores =
      this.kind === "silence"
        ? 1
        : evaluated * upperTail(Math.max(0, this.#meanDeviation()) * Math.sqrt(this.days.length));
    return Math.max(0, 1 - Math.min(ofLows, ofScores));
  }

  #meanDeviation(): number {
    return this.days.reduce((sum, day) => sum + this.#deviationOf(day), 0) / this.days.length;
  }

  #deviationOf({ score }: VolumeDay): number {
    return this.direction === "more" ? score : -score;
  }
}
