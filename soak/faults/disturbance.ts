/** Milliseconds after a fault in which its effects may still show: a store that is opened anew once a second. */
const AFTERMATH = 3_000;

/** Knows when a failure may be blamed on a fault: all others are the server's own. */
export class Disturbance {
  #underWay = 0;
  #lastEnd = Number.NEGATIVE_INFINITY;

  /** Does what disturbs the server. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      return await work();
    } finally {
      this.#underWay -= 1;
      this.#lastEnd = performance.now();
    }
  }

  /** @param start when something began, by the monotonic clock. @returns whether a fault has been in force since. */
  since(start: number): boolean {
    return this.#underWay > 0 || this.#lastEnd + AFTERMATH > start;
  }
}
