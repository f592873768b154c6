import type { Random } from "./random.js";

/** Chooses indices by weight in constant time (the alias method of Walker and Vose). */
export class WeightedChoice {
  /** Probability that a column yields its own index. */
  readonly #keep: Float64Array;
  /** Index that a column yields otherwise. */
  readonly #alias: Uint32Array;

  /** @param weights At least one weight; none negative, not all 0. */
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

/** Returns the weights of a long tail: the n-th of `count` is `1 / n ** exponent` (Zipf's law). */
export function longTail(count: number, exponent: number): number[] {
  return Array.from({ length: count }, (_, index) => 1 / (index + 1) ** exponent);
}

function at(numbers: Float64Array | Uint32Array, index: number): number {
  return numbers[index] ?? 0;
}
