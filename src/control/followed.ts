/** Maximum age of a copy, in milliseconds. Commits of other processes become visible within this time. */
export const MAX_STALENESS_MS = 1_000;

/** Keeps a local copy of shared data up to date. Needs only a few reads per second. */
export class Followed {
  readonly #readOn: () => Promise<void>;
  readonly #maxStaleness: number;
  /** Time at which the last successful read started, by the monotonic clock. */
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** Time of the last reported change. */
  #changedAt = Number.NEGATIVE_INFINITY;
  #look: Promise<void> | undefined;

  /**
   * @param readOn updates the copy.
   * @param maxStaleness maximum age of the copy in milliseconds; 0 to read before each use.
   */
  constructor(readOn: () => Promise<void>, maxStaleness = MAX_STALENESS_MS) {
    this.#readOn = readOn;
    this.#maxStaleness = maxStaleness;
  }

  /** Reports that the shared data has changed. The next use of the copy waits for a new read. */
  changed(): void {
    this.#changedAt = performance.now();
  }

  /**
   * Waits until the copy contains everything that was committed until {@link MAX_STALENESS_MS} ago, and all reported
   * changes. Returns `undefined` if it already does.
   *
   * @throws the read error, by rejection, if the copy is too old.
   */
  upToDate(): Promise<void> | undefined {
    const now = performance.now();
    const needed = Math.max(now - this.#maxStaleness, this.#changedAt);
    if (this.#lookedAt < needed) return this.#readUntil(needed);
    // While the copy is in use, the next read starts early, so that nobody has to wait for it.
    if (this.#lookedAt < now - this.#maxStaleness / 2) this.#start().catch(() => {});
    return undefined;
  }

  /**
   * Resolves when the copy contains everything that was committed before the call. Other users of the copy do not wait.
   *
   * @throws the read error.
   */
  refresh(): Promise<void> {
    return this.#readUntil(performance.now());
  }

  /** Resolves when the last successful read started at `time` or later. @throws the read error. */
  async #readUntil(time: number): Promise<void> {
    while (this.#lookedAt < time) await this.#start();
  }

  /** Starts a read, unless one is in progress. */
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
