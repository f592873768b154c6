import { setTimeout as sleep } from "node:timers/promises";
import { backoffMs } from "@waybill/client/support";
import type { Clock } from "../../../model/clock.js";
import { isPassing, isQuorumAwaited } from "../engine-error.js";

/** Pause between two attempts. */
const BACKOFF = { firstMs: 20, maxMs: 1_000 };
/** Shorter pause while another insert waits for its quorum, which usually succeeds soon. */
const QUORUM_BACKOFF = { ...BACKOFF, maxMs: 100 };

export interface RetryOptions {
  /** Time that has already passed, in milliseconds. It counts for at most half of the total time. */
  readonly waitedMs?: number;
  /** Returns true for additional errors after which the work must be repeated. */
  readonly mayPass?: (error: unknown) => boolean;
}

/**
 * Repeats work after temporary engine errors. A part of each pause is random, so that processes that have collided do
 * not collide again.
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
   * Repeats work until it succeeds or the time is over.
   *
   * @param work receives the remaining time in whole milliseconds. An attempt for a waiting caller must end within this
   * time.
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
