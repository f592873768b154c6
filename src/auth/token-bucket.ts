import type { Clock } from "../model/clock.js";

/** Permits at a steady rate. Those that nobody took add up to a limit, for bursts. */
export class TokenBucket {
  readonly #size: number;
  readonly #perMs: number;
  readonly #clock: Clock;
  #level: number;
  #filledAt: number;

  /**
   * @param size largest number of permits at a time, which are there at the beginning.
   * @param perMs new permits per millisecond.
   */
  constructor(size: number, perMs: number, clock: Clock) {
    this.#size = size;
    this.#perMs = perMs;
    this.#clock = clock;
    this.#level = size;
    this.#filledAt = clock.monotonic();
  }

  /** Takes a permit. @returns 0; if there is none, the time until the next one, in milliseconds. */
  take(): number {
    const now = this.#clock.monotonic();
    this.#level = Math.min(this.#size, this.#level + (now - this.#filledAt) * this.#perMs);
    this.#filledAt = now;
    if (this.#level < 1) return (1 - this.#level) / this.#perMs;
    this.#level -= 1;
    return 0;
  }
}
