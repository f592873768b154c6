/** Milliseconds after a fault in which its effects may persist: a failed store is reopened once a second. */
const AFTERMATH = 3_000;

/** Tells whether a failure may be blamed on a fault; all others are the server's own. */
export class Disturbance {
  #underWay = 0;
  #lastEnd = Number.NEGATIVE_INFINITY;

  /** Runs work that disturbs the server. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      return await work();
    } finally {
      this.#underWay -= 1;
      this.#lastEnd = performance.now();
    }
  }

  /** @param start a time of the monotonic clock. @returns true if a fault has been in force since then. */
  since(start: number): boolean {
    return this.#underWay > 0 || this.#lastEnd + AFTERMATH > start;
  }
}
