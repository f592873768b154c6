import { LRUCache } from "lru-cache";
import { type Clock, systemClock } from "../model/clock.js";
import { rateLimitExceeded } from "./auth-errors.js";
import { TokenBucket } from "./token-bucket.js";

/** Most principals whose buckets are kept. An evicted principal starts again with a full bucket. */
const MAX_PRINCIPALS = 10_000;

/** Limits the requests of each principal per minute, with a token bucket of one minute's requests. */
export class RateLimiter {
  readonly #requestsPerMinute: number;
  readonly #clock: Clock;
  readonly #buckets = new LRUCache<string, TokenBucket>({ max: MAX_PRINCIPALS });

  constructor(requestsPerMinute: number, clock: Clock = systemClock) {
    this.#requestsPerMinute = requestsPerMinute;
    this.#clock = clock;
  }

  /**
   * Counts a request of a principal.
   *
   * @param principal The principal's id.
   * @throws ApiError `RATE_LIMIT_EXCEEDED` if the bucket is empty; such a request is not counted.
   */
  take(principal: string): void {
    const waitMs = this.#bucketOf(principal).take();
    if (waitMs > 0) throw rateLimitExceeded(this.#requestsPerMinute, Math.ceil(waitMs / 1_000));
  }

  #bucketOf(principal: string): TokenBucket {
    let bucket = this.#buckets.get(principal);
    if (bucket === undefined) {
      bucket = new TokenBucket(this.#requestsPerMinute, this.#requestsPerMinute / 60_000, this.#clock);
      this.#buckets.set(principal, bucket);
    }
    return bucket;
  }
}
