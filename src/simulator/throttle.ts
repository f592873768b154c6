/** Admits a burst of messages at once, then one per interval (generic cell rate algorithm). */
export class Throttle {
  readonly #burst: number;
  readonly #interval: number;
  /** Time at which a whole burst is available again, in milliseconds since the epoch. */
  #freeAt = Number.NEGATIVE_INFINITY;

  /** @param interval In milliseconds. */
  constructor(burst: number, interval: number) {
    this.#burst = burst;
    this.#interval = interval;
  }

  /** Time at which a whole burst is available again, in milliseconds since the epoch. */
  get freeAt(): number {
    return this.#freeAt;
  }

  /** Admits a message. @returns false if it is refused. */
  admit(now: number): boolean {
    const freeAt = Math.max(this.#freeAt, now) + this.#interval;
    if (freeAt > now + this.#burst * this.#interval) return false;
    this.#freeAt = freeAt;
    return true;
  }
}
