/** Milliseconds after an injected failure in which its effects may persist: a failed store is reopened once a second. */
const AFTERMATH = 3_000;

/** Returns true if a failure may be caused by an injected one; all others are the server's own. */
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

  /** @param start a time of the monotonic clock. @returns true if an injected failure has been active since then. */
  since(start: number): boolean {
    return this.#underWay > 0 || this.#lastEnd + AFTERMATH > start;
  }
}
