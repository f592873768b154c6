import type { Clock } from "../../model/clock.js";

/** Time by the monotonic clock for which the time of day has to agree with itself, in milliseconds. */
const AGREEMENT_MS = 5 * 60_000;

/**
 * The time by which days end, which nothing undoes: never ahead of a look at the clock some minutes ago and the time that
 * has passed since by the monotonic clock. A clock that is wrong for a moment ends no day.
 */
export class AgreedTime {
  readonly #clock: Clock;
  /** Time of day at the zero of the monotonic clock: the earliest of the looks since {@link #since}, and of those before. */
  #zero = Number.POSITIVE_INFINITY;
  #zeroBefore: number | undefined;
  #since: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.monotonic();
    this.now();
  }

  /** Looks at the clock. @returns the agreed time, in milliseconds since the Unix epoch; `undefined` in the first minutes. */
  now(): number | undefined {
    const monotonic = this.#clock.monotonic();
    if (monotonic - this.#since >= AGREEMENT_MS) {
      this.#zeroBefore = this.#zero;
      this.#zero = Number.POSITIVE_INFINITY;
      this.#since = monotonic;
    }
    this.#zero = Math.min(this.#zero, this.#clock.wall() - monotonic);
    return this.#zeroBefore === undefined ? undefined : Math.min(this.#zero, this.#zeroBefore) + monotonic;
  }
}
