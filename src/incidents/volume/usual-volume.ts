import type { Day } from "../../model/day.js";
import { weekdayOf } from "../detection/daily-counts.js";

/** Number of recent days of a weekday that determine its usual number of messages. */
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
 * The usual number of messages a day, by medians: of the same weekday, times the current level. Less than half of
 * the days may deviate, however far.
 */
export class UsualVolume {
  readonly #byWeekday: number[][] = Array.from({ length: 7 }, () => []);
  /** Logarithms of ratios between recent days and the usual numbers of their weekdays. */
  readonly #ratios: number[] = [];
  /** Logarithms of ratios between recent days and their expected numbers. */
  readonly #deviations: number[] = [];
  #level = 0;

  /** Number of days from which {@link spread} was estimated. */
  get comparedDays(): number {
    return this.#deviations.length;
  }

  /** Returns the expected number of messages; `undefined` before the weekday is known. */
  expected(day: Day): number | undefined {
    const usual = this.#usualOf(day);
    return usual === undefined ? undefined : usual * Math.exp(this.#level);
  }

  /** Variance of a day's logarithm, apart from chance in counting. */
  spread(): number {
    const sizes = this.#deviations.map(Math.abs);
    const deviation = sizes.length === 0 ? 0 : MAD_TO_DEVIATION * lowerMedian(sizes);
    const known = sizes.length;
    const variance = (known * deviation ** 2 + ASSUMED_DAYS * ASSUMED_SPREAD ** 2) / (known + ASSUMED_DAYS);
    return Math.max(LEAST_SPREAD ** 2, variance);
  }

  /** Learns a day. @param isLow true for a day with almost no messages, which carries no information about the level. */
  learn(day: Day, count: number, isLow: boolean): void {
    const usual = this.#usualOf(day);
    if (usual !== undefined && usual > 0 && !isLow) {
      const ratio = logRatio(count, usual);
      push(this.#deviations, ratio - this.#level, SPREAD_DAYS);
      push(this.#ratios, ratio, LEVEL_DAYS);
      if (this.#ratios.length >= LEAST_LEVEL_DAYS) this.#level = lowerMedian(this.#ratios);
    }
    const own = this.#byWeekday[weekdayOf(day)];
    if (own !== undefined) push(own, count, SAME_WEEKDAYS);
  }

  #usualOf(day: Day): number | undefined {
    const own = this.#byWeekday[weekdayOf(day)];
    return own === undefined || own.length === 0 ? undefined : lowerMedian(own);
  }
}

function push(values: number[], value: number, most: number): void {
  values.push(value);
  if (values.length > most) values.shift();
}

/** The median, or the lower of two: a day of a campaign among two days is not usual. */
function lowerMedian(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[(sorted.length - 1) >> 1] ?? Number.NaN;
}
