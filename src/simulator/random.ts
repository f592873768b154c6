/**
 * A small, fast pseudo-random number generator (sfc32). The same seed gives the same numbers on every
 * platform.
 */
export class Random {
  #a = 0;
  #b = 0;
  #c = 0;
  #counter = 1;

  /** @param seed A safe integer of at least 0. */
  constructor(seed: number) {
    this.#a = seed >>> 0;
    this.#b = Math.floor(seed / 2 ** 32) >>> 0;
    this.#c = 0x9e3779b9;
    for (let round = 0; round < 15; round++) this.#uint32();
  }

  /** Returns a number from 0 to below 1. */
  fraction(): number {
    return this.#uint32() / 2 ** 32;
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** Returns an integer from 0 to below `limit`. */
  below(limit: number): number {
    return Math.floor(this.fraction() * limit);
  }

  /**
   * Returns an integer of at least 1 from the exponential distribution: the waiting time for a memoryless
   * event.
   */
  wait(mean: number): number {
    return Math.ceil(-Math.log(1 - this.fraction()) * mean) || 1;
  }

  #uint32(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }
}
