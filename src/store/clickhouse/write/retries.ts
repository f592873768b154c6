import { setTimeout as sleep } from "node:timers/promises";
import { backoffMs } from "@waybill/client/support";
import type { Clock } from "../../../model/clock.js";
import { isPassing, isQuorumAwaited } from "../engine-error.js";

/** Pauses between attempts. */
const BACKOFF = { firstMs: 20, maxMs: 1_000 };
/** Pauses while another insert waits for its quorum, which it reaches soon. */
const QUORUM_BACKOFF = { ...BACKOFF, maxMs: 100 };

/** Options of {@link Retries.run}. */
export interface RetryOptions {
  /** Time that counts as spent already, up to half of all, in milliseconds. */
  readonly waitedMs?: number;
  /** Returns true for further errors after which the work is repeated. */
  readonly mayPass?: (error: unknown) => boolean;
}

/**
 * Repeats work that may be repeated while the engine fails with errors that pass. Pauses are random in
 * part: processes that got into each other's way do not meet again.
 */
export class Retries {
  readonly #clock: Clock;
  readonly #within: number;

  /** @param within time for all attempts together, in milliseconds. */
  constructor(clock: Clock, within: number) {
    this.#clock = clock;
    this.#within = within;
  }

  /**
   * @param work gets the time that is left, in whole milliseconds. Attempts that somebody waits for end in this time.
   * @throws the error of the last attempt.
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
