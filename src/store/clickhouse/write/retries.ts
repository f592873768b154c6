import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../../model/clock.js";
import { isPassing, isQuorumAwaited } from "../engine-error.js";

/** Pauses between attempts, in milliseconds: the first, and the longest. */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1_000;
/** Longest pause while another insert waits for its quorum, which it reaches soon, in milliseconds. */
const QUORUM_PAUSE_MS = 100;

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
   * @param waitedMs time that counts as spent already, up to half of all, in milliseconds.
   * @throws the error of the last attempt.
   */
  async run<T>(work: (leftMs: number) => Promise<T>, waitedMs = 0): Promise<T> {
    const deadline = this.#clock.monotonic() + Math.max(this.#within - waitedMs, this.#within / 2);
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        return await work(Math.max(1, Math.ceil(deadline - this.#clock.monotonic())));
      } catch (error) {
        if (!isPassing(error) || this.#clock.monotonic() + pause > deadline) throw error;
        const longest = isQuorumAwaited(error) ? QUORUM_PAUSE_MS : LONGEST_PAUSE_MS;
        await sleep(Math.min(pause, longest) * (0.5 + Math.random() / 2));
      }
    }
  }
}
