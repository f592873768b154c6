import { setImmediate as nextTick } from "node:timers/promises";
import { FairQueue } from "./fair-queue.js";

/** Number of pieces to run in one event loop tick. Together, they need less than a millisecond. */
const PIECES_PER_TICK = 4;

/**
 * Runs work that is not urgent, such as rejecting requests above a limit. Each event loop tick runs a few pieces,
 * fairly divided between callers. A caller that causes thousands of pieces at once therefore does not delay others.
 */
export class Unhurried {
  readonly #pieces = new FairQueue<() => void>();

  /** Runs `piece` in a later tick. The function must not throw. */
  add(caller: string, piece: () => void): void {
    if (this.#pieces.isEmpty) setImmediate(() => this.#tick());
    this.#pieces.push(caller, piece);
  }

  #tick(): void {
    // If the last of these pieces adds a new one, it must not schedule a second series of ticks.
    const pieces = Array.from({ length: PIECES_PER_TICK }, () => this.#pieces.shift());
    if (!this.#pieces.isEmpty) setImmediate(() => this.#tick());
    for (const piece of pieces) piece?.();
  }
}

/**
 * Runs a long computation with one step per event loop tick, so that other work can run in between.
 *
 * @param steps the computation. It must yield after about every millisecond.
 * @returns the result of `steps`.
 * @throws an error of `steps`, or the abort reason of `signal`.
 */
export async function inSteps<T>(steps: Generator<void, T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    signal?.throwIfAborted();
    const step = steps.next();
    if (step.done === true) return step.value;
    await nextTick();
  }
}

/**
 * Runs the server's own work one item at a time, in order of arrival. The queue has no limit, because calls never wait
 * in it.
 */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work, work);
    this.#last = done;
    return done;
  }
}
