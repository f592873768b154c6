/** Lets a burst of messages through at once and then one each interval (the generic cell rate algorithm). */
export class Throttle {
  readonly #burst: number;
  readonly #interval: number;
  /** When the whole burst is free again. */
  #freeAt = Number.NEGATIVE_INFINITY;

  /** @param interval milliseconds */
  constructor(burst: number, interval: number) {
    this.#burst = burst;
    this.#interval = interval;
  }

  /** When a whole burst is free again, in milliseconds since the epoch. */
  get freeAt(): number {
    return this.#freeAt;
  }

  /** Lets one message through, or refuses it. */
  admit(now: number): boolean {
    const freeAt = Math.max(this.#freeAt, now) + this.#interval;
    if (freeAt > now + this.#burst * this.#interval) return false;
    this.#freeAt = freeAt;
    return true;
  }
}
