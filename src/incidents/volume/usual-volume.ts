import { at } from "../../model/collections.js";
import type { Day } from "../../model/day.js";
import { weekdayOf } from "../detection/daily-counts.js";
import { RecentMedian } from "./recent-median.js";

/** Number of recent occurrences of a weekday that determine its usual number of messages. */
const SAME_WEEKDAYS = 6;
/** Number of days that determine the current level, relative to the usual numbers of their weekdays. */
const LEVEL_DAYS = 10;
/** Minimum number of days with which the level is estimated. */
const LEAST_LEVEL_DAYS = 4;
/** Number of days that determine the variation between days. */
const SPREAD_DAYS = 42;
/** Assumed variation before enough days are known: a standard deviation of a quarter. */
const ASSUMED_SPREAD = 0.25;
/** Number of days with the same weight as the assumption. */
const ASSUMED_DAYS = 6;
/** Minimum variation. Even the most regular senders vary this much. */
const LEAST_SPREAD = 0.1;
/** Ratio of the standard deviation to the median absolute deviation in a normal distribution. */
const MAD_TO_DEVIATION = 1.4826;

/** Returns the logarithm of count ratios. It is also defined for a count of 0. */
export const logRatio = (count: number, expected: number): number =>
  Math.log((count + 0.5) / (expected + 0.5));

/**
 * Estimates the usual number of messages on a day from medians: the median for its weekday, multiplied by the current
 * level. Fewer than half of the days may deviate by any amount.
 */
export class UsualVolume {
  readonly #byWeekday = Array.from({ length: 7 }, () => new RecentMedian(SAME_WEEKDAYS));
  /** Logarithms of ratios between recent days and the usual numbers of their weekdays. */
  readonly #ratios = new RecentMedian(LEVEL_DAYS);
  /** Absolute logarithms of ratios between recent days and their expected numbers. */
  readonly #deviations = new RecentMedian(SPREAD_DAYS);
  #level = 0;
  /** Current level, as a factor. */
  #factor = 1;

  /** Number of days from which {@link spread} was estimated. */
  get comparedDays(): number {
    return this.#deviations.count;
  }

  /** Returns the expected number of messages; `undefined` before the weekday is known. */
  expected(day: Day): number | undefined {
    const usual = this.#ofWeekday(day).value;
    return usual === undefined ? undefined : usual * this.#factor;
  }

  /** Variance of a day's log count, excluding sampling noise. */
  spread(): number {
    const known = this.#deviations.count;
    const deviation = MAD_TO_DEVIATION * (this.#deviations.value ?? 0);
    const variance = (known * deviation ** 2 + ASSUMED_DAYS * ASSUMED_SPREAD ** 2) / (known + ASSUMED_DAYS);
    return Math.max(LEAST_SPREAD ** 2, variance);
  }

  /**
   * Updates the usual numbers with a day.
   *
   * @param isLow true for a day with almost no messages, which carries no information about the level.
   */
  learn(day: Day, count: number, isLow: boolean): void {
    const ofWeekday = this.#ofWeekday(day);
    const usual = ofWeekday.value;
    if (usual !== undefined && usual > 0 && !isLow) {
      const ratio = logRatio(count, usual);
      this.#deviations.push(Math.abs(ratio - this.#level));
      this.#ratios.push(ratio);
      const level = this.#ratios.value;
      if (level !== undefined && this.#ratios.count >= LEAST_LEVEL_DAYS) {
        this.#level = level;
        this.#factor = Math.exp(level);
      }
    }
    ofWeekday.push(count);
  }

  #ofWeekday(day: Day): RecentMedian {
    return at(this.#byWeekday, weekdayOf(day));
  }
}
