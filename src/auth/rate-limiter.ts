import { LRUCache } from "lru-cache";
import { type Clock, systemClock } from "../model/clock.js";
import { rateLimitExceeded } from "./auth-errors.js";

/** Most principals whose buckets are kept. An evicted principal starts again with a full bucket. */
const MAX_PRINCIPALS = 10_000;

interface Bucket {
  /** Requests available at {@link filledAt}. */
  level: number;
  filledAt: number;
}

/** Limits the requests of each principal per minute, with a token bucket of one minute's requests. */
export class RateLimiter {
  readonly #requestsPerMinute: number;
  readonly #requestsPerMs: number;
  readonly #clock: Clock;
  readonly #buckets = new LRUCache<string, Bucket>({ max: MAX_PRINCIPALS });

  constructor(requestsPerMinute: number, clock: Clock = systemClock) {
    this.#requestsPerMinute = requestsPerMinute;
    this.#requestsPerMs = requestsPerMinute / 60_000;
    this.#clock = clock;
  }

  /**
   * Counts a request of a principal.
   *
   * @param principal The principal's id.
   * @throws ApiError `RATE_LIMIT_EXCEEDED` if the bucket is empty; such a request is not counted.
   */
  take(principal: string): void {
    const bucket = this.#bucketOf(principal);
    const now = this.#clock.monotonic();
    const refill = (now - bucket.filledAt) * this.#requestsPerMs;
    bucket.level = Math.min(this.#requestsPerMinute, bucket.level + refill);
    bucket.filledAt = now;
    if (bucket.level < 1) {
      const waitMs = (1 - bucket.level) / this.#requestsPerMs;
      throw rateLimitExceeded(this.#requestsPerMinute, Math.ceil(waitMs / 1_000));
    }
    bucket.level -= 1;
  }

  #bucketOf(principal: string): Bucket {
    let bucket = this.#buckets.get(principal);
    if (bucket === undefined) {
      bucket = { level: this.#requestsPerMinute, filledAt: this.#clock.monotonic() };
      this.#buckets.set(principal, bucket);
    }
    return bucket;
  }
}
