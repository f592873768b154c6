import type { Clock } from "../../model/clock.js";

/** A clock that starts at the present and moves only by {@link advance}. */
export class ManualClock implements Clock {
  #elapsedMs = 0;
  readonly #start = Date.now();

  wall(): number {
    return this.#start + this.#elapsedMs;
  }

  monotonic(): number {
    return this.#elapsedMs;
  }

  advance(ms: number): void {
    this.#elapsedMs += ms;
  }
}
