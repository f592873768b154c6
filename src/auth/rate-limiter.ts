import { LRUCache } from "lru-cache";
import { type Clock, systemClock } from "../model/clock.js";
import { rateLimitExceeded } from "./auth-errors.js";

/** Issues permits at a steady rate. Unused permits accumulate up to a limit, to allow bursts. */
export class TokenBucket {
  readonly #size: number;
  readonly #perMs: number;
  readonly #clock: Clock;
  #level: number;
  #filledAt: number;

  /**
   * @param size maximum and initial number of permits.
   * @param perMs new permits per millisecond.
   */
  constructor(size: number, perMs: number, clock: Clock) {
    this.#size = size;
    this.#perMs = perMs;
    this.#clock = clock;
    this.#level = size;
    this.#filledAt = clock.monotonic();
  }

  /** Uses one permit. @returns 0, or the time until the next permit in milliseconds if no permit is left. */
  take(): number {
    const now = this.#clock.monotonic();
    this.#level = Math.min(this.#size, this.#level + (now - this.#filledAt) * this.#perMs);
    this.#filledAt = now;
    if (this.#level < 1) return (1 - this.#level) / this.#perMs;
    this.#level -= 1;
    return 0;
  }
}

/** Maximum number of buckets. A caller starts again with a full bucket after an eviction. */
const MAX_BUCKETS = 10_000;

/** Limits the requests of each caller per minute. The token bucket of a caller holds the requests of one minute. */
export class RateLimiter {
  readonly #requestsPerMinute: number;
  readonly #clock: Clock;
  readonly #buckets = new LRUCache<string, TokenBucket>({ max: MAX_BUCKETS });

  constructor(requestsPerMinute: number, clock: Clock = systemClock) {
    this.#requestsPerMinute = requestsPerMinute;
    this.#clock = clock;
  }

  /**
   * Counts a request.
   *
   * @param budgetKey the caller's budget key.
   * @throws ApiError `RATE_LIMIT_EXCEEDED` if the bucket is empty. The rejected request is not counted.
   */
  take(budgetKey: string): void {
    const waitMs = this.#bucketOf(budgetKey).take();
    if (waitMs > 0) throw rateLimitExceeded(this.#requestsPerMinute, Math.ceil(waitMs / 1_000));
  }

  #bucketOf(budgetKey: string): TokenBucket {
    let bucket = this.#buckets.get(budgetKey);
    if (bucket === undefined) {
      bucket = new TokenBucket(this.#requestsPerMinute, this.#requestsPerMinute / 60_000, this.#clock);
      this.#buckets.set(budgetKey, bucket);
    }
    return bucket;
  }
}
