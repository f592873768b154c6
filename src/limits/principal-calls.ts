/** Time after a call for which more calls are expected, in milliseconds. */
const RECENT_MS = 100;

/** Remembers when a principal last called, so that work for devices, which have no principal, leaves a core free. */
export class PrincipalCalls {
  readonly #now: () => number;
  #last = Number.NEGATIVE_INFINITY;

  /** @param now returns a monotonic time, in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Records a call. */
  add(): void {
    this.#last = this.#now();
  }

  /** True if a principal has called in the last 100 ms. */
  get areRecent(): boolean {
    return this.#now() - this.#last <= RECENT_MS;
  }
}
