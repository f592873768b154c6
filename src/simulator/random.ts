/** A small, fast pseudo-random number generator (sfc32). The same seed produces the same numbers on every platform. */
export class Random {
  #a = 0;
  #b = 0;
  #c = 0;
  #counter = 1;

  /** @param seed a safe integer of at least 0. */
  constructor(seed: number) {
    this.#a = seed >>> 0;
    this.#b = Math.floor(seed / 2 ** 32) >>> 0;
    this.#c = 0x9e3779b9;
    for (let round = 0; round < 15; round++) this.#uint32();
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
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

/** Chooses indices by weight in constant time (the alias method of Walker and Vose). */
export class WeightedChoice {
  /** Probability that a column yields its own index. */
  readonly #keep: Float64Array;
  /** Index that a column yields otherwise. */
  readonly #alias: Uint32Array;

  /** @param weights at least one weight; none negative, not all 0. */
  constructor(weights: readonly number[]) {
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const scaled = Float64Array.from(weights, (weight) => (weight * weights.length) / total);
    this.#keep = new Float64Array(weights.length).fill(1);
    this.#alias = Uint32Array.from(weights.keys());
    const below = [...scaled.keys()].filter((index) => at(scaled, index) < 1);
    const above = [...scaled.keys()].filter((index) => at(scaled, index) >= 1);
    for (;;) {
      const poor = below.pop();
      const rich = above.pop();
      if (poor === undefined || rich === undefined) return;
      this.#keep[poor] = at(scaled, poor);
      this.#alias[poor] = rich;
      scaled[rich] = at(scaled, rich) + at(scaled, poor) - 1;
      (at(scaled, rich) < 1 ? below : above).push(rich);
    }
  }

  next(random: Random): number {
    const position = random.fraction() * this.#keep.length;
    const column = Math.floor(position);
    return position - column < at(this.#keep, column) ? column : at(this.#alias, column);
  }
}

/** Returns long-tail weights: the n-th of `count` is `1 / n ** exponent` (Zipf's law). */
export function longTail(count: number, exponent: number): number[] {
  return Array.from({ length: count }, (_, index) => 1 / (index + 1) ** exponent);
}

/** Accepts only one kind of array, which keeps it fast. */
function at(numbers: Float64Array | Uint32Array, index: number): number {
  const value = numbers[index];
  if (value === undefined) throw new RangeError(`index ${index} is out of range`);
  return value;
}
