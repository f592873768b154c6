/** Random numbers from a seed (mulberry32), with the distributions that traffic needs. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  happens(probability: number): boolean {
    return this.fraction() < probability;
  }

  between(least: number, most: number): number {
    return least + (most - least) * this.fraction();
  }

  /** Returns an integer from `least` to `most`. */
  whole(least: number, most: number): number {
    return Math.floor(this.between(least, most + 1));
  }

  /** Returns a number from 10 to 1,000 with a uniform logarithm: half of the results are below 100. */
  magnitude(least: number, most: number): number {
    return Math.exp(this.between(Math.log(least), Math.log(most)));
  }

  /** Standard normal (Box and Muller). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.fraction())) * Math.cos(2 * Math.PI * this.fraction());
  }

  /**
   * Number of successes in `count` trials. Exact if few are expected, otherwise approximated by a normal distribution.
   */
  binomial(count: number, probability: number): number {
    if (probability > 0.5) return count - this.binomial(count, 1 - probability);
    const mean = count * probability;
    if (mean > 500)
      return Math.min(
        count,
        Math.max(0, Math.round(mean + Math.sqrt(mean * (1 - probability)) * this.normal())),
      );
    if (probability <= 0) return 0;
    // The number of trials until the next success has a geometric distribution.
    const step = Math.log1p(-probability);
    let successes = -1;
    for (let trials = 0; trials <= count; successes++) {
      trials += 1 + Math.floor(Math.log(1 - this.fraction()) / step);
    }
    return successes;
  }
}
