import { setTimeout as sleep } from "node:timers/promises";
import { backoffMs } from "@waybill/client/support";
import type { Clock } from "../../../model/clock.js";
import { isPassing, isQuorumAwaited } from "../engine-error.js";

/** Pauses between attempts. */
const BACKOFF = { firstMs: 20, maxMs: 1_000 };
/** Shorter pauses while another insert waits for its quorum, which usually succeeds soon. */
const QUORUM_BACKOFF = { ...BACKOFF, maxMs: 100 };

/** Options of {@link Retries.run}. */
export interface RetryOptions {
  /** Time that has already passed, in milliseconds. At most half of the total counts. */
  readonly waitedMs?: number;
  /** Returns true for additional errors after which to repeat the work. */
  readonly mayPass?: (error: unknown) => boolean;
}

/**
 * Repeats work after temporary engine errors. Pauses are partly random, so that conflicting processes do not
 * collide again.
 */
export class Retries {
  readonly #clock: Clock;
  readonly #within: number;

  /** @param within total time for all attempts, in milliseconds. */
  constructor(clock: Clock, within: number) {
    this.#clock = clock;
    this.#within = within;
  }

  /**
   * @param work receives the remaining time, in whole milliseconds. Attempts for a waiting caller must end within
   *   it.
   * @throws the last attempt's error.
   */
  async run<T>(
    work: (leftMs: number) => Promise<T>,
    { waitedMs = 0, mayPass = () => false }: RetryOptions = {},
  ): Promise<T> {
    const deadline = this.#clock.monotonic() + Math.max(this.#within - waitedMs, this.#within / 2);
    for (let failures = 1; ; failures++) {
      try {
        return await work(Math.max(1, Math.ceil(deadline - this.#clock.monotonic())));
      } catch (error) {
        const pauseMs = backoffMs(failures, isQuorumAwaited(error) ? QUORUM_BACKOFF : BACKOFF);
        if (!(isPassing(error) || mayPass(error)) || this.#clock.monotonic() + pauseMs > deadline)
          throw error;
        await sleep(pauseMs);
      }
    }
  }
}
