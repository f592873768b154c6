/** Longest time for which a copy may miss what another process has committed, in milliseconds. */
export const MAX_STALENESS_MS = 1_000;

/** Keeps a copy of shared data in this process up to date, at the cost of at most a few looks a second. */
export class Followed {
  readonly #readOn: () => Promise<void>;
  readonly #maxStaleness: number;
  /** When the last successful look began, by the monotonic clock. */
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** When the data was last known to change. */
  #changedAt = Number.NEGATIVE_INFINITY;
  #look: Promise<void> | undefined;

  /**
   * @param readOn brings the copy up to date.
   * @param maxStaleness in milliseconds; 0 to look before each use.
   */
  constructor(readOn: () => Promise<void>, maxStaleness = MAX_STALENESS_MS) {
    this.#readOn = readOn;
    this.#maxStaleness = maxStaleness;
  }

  /** Tells that the data has changed: the next use waits for a look. */
  changed(): void {
    this.#changedAt = performance.now();
  }

  /**
   * Resolves when the copy has everything that was committed {@link MAX_STALENESS_MS} ago, and all changes that were
   * told.
   *
   * @throws the error of the look, if one is needed and fails.
   */
  async upToDate(): Promise<void> {
    const now = performance.now();
    const needed = Math.max(now - this.#maxStaleness, this.#changedAt);
    while (this.#lookedAt < needed) await this.#start();
    // Looks ahead of time while the copy is in use, which spares its users the wait.
    if (this.#lookedAt < now - this.#maxStaleness / 2) this.#start().catch(() => {});
  }

  /** Starts a look, unless one is under way. */
  #start(): Promise<void> {
    const began = performance.now();
    this.#look ??= this.#readOn()
      .then(() => {
        this.#lookedAt = began;
      })
      .finally(() => {
        this.#look = undefined;
      });
    return this.#look;
  }
}
