/** The median of recent numbers. Keeps them sorted, because it is read after each of thousands of days. */
export class RecentMedian {
  readonly #most: number;
  readonly #inOrder: number[] = [];
  readonly #sorted: number[] = [];

  /** @param most number of numbers that count. */
  constructor(most: number) {
    this.#most = most;
  }

  get count(): number {
    return this.#sorted.length;
  }

  /**
   * The median; of two middle numbers, the lower one, so that a campaign day among two days does not count as usual.
   * `undefined` without numbers.
   */
  get value(): number | undefined {
    return this.#sorted[(this.#sorted.length - 1) >> 1];
  }

  push(value: number): void {
    const sorted = this.#sorted;
    if (this.#inOrder.length === this.#most)
      sorted.splice(sorted.indexOf(this.#inOrder.shift() ?? Number.NaN), 1);
    this.#inOrder.push(value);
    let place = sorted.length;
    while (place > 0 && (sorted[place - 1] ?? Number.NaN) > value) place--;
    sorted.splice(place, 0, value);
  }
}
