import { availableParallelism } from "node:os";

/** Number of cores for work that leaves one core free while calls are frequent; at least one. */
export const CORES_BESIDE_CALLS = Math.max(1, availableParallelism() - 1);

/** Calls are frequent if two of them start within this time, in milliseconds. */
const FREQUENT_MS = 100;

/**
 * Remembers when principals called methods that need the role viewer. While such calls are frequent, signing for devices
 * and parsing of imports each leave one core free.
 */
export class PrincipalCalls {
  readonly #now: () => number;
  #last = Number.NEGATIVE_INFINITY;
  #beforeLast = Number.NEGATIVE_INFINITY;

  /** @param now returns a monotonic time, in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Records a call. */
  add(): void {
    this.#beforeLast = this.#last;
    this.#last = this.#now();
  }

  /** True if principals have called at least twice in the last 100 ms. */
  get areFrequent(): boolean {
    return this.#now() - this.#beforeLast <= FREQUENT_MS;
  }
}
