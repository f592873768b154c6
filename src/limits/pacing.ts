import { setImmediate as nextTick } from "node:timers/promises";
import { FairQueue } from "./fair-queue.js";

/** Pieces of work per tick of the event loop. Together they need less than a millisecond. */
const PIECES_PER_TICK = 4;

/**
 * Work that can wait, such as rejecting requests beyond a limit: a few pieces per tick of the event loop, fairly
 * between callers. A caller that causes thousands of pieces at once delays nobody else.
 */
export class Unhurried {
  readonly #pieces = new FairQueue<() => void>();

  /** Runs `piece` in a later tick. It must not throw. */
  add(caller: string, piece: () => void): void {
    if (this.#pieces.isEmpty) setImmediate(() => this.#tick());
    this.#pieces.push(caller, piece);
  }

  #tick(): void {
    // A piece that the last of these adds must not schedule a second series of ticks.
    const pieces = Array.from({ length: PIECES_PER_TICK }, () => this.#pieces.shift());
    if (!this.#pieces.isEmpty) setImmediate(() => this.#tick());
    for (const piece of pieces) piece?.();
  }
}

/**
 * Runs a long computation, one step per tick of the event loop, so that other work continues in between.
 *
 * @param steps yields after about a millisecond each.
 * @returns the computation's result.
 * @throws the computation's error, or the reason of `signal` once it has aborted.
 */
export async function inSteps<T>(steps: Generator<void, T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    signal?.throwIfAborted();
    const step = steps.next();
    if (step.done === true) return step.value;
    await nextTick();
  }
}

/** Runs the server's own work one by one, in order of arrival. It has no limit, because calls do not wait here. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work, work);
    this.#last = done;
    return done;
  }
}
