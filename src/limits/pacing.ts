import { setImmediate as nextTurn } from "node:timers/promises";
import { FairQueue } from "./fair-queue.js";

/** Pieces of work per turn of the event loop; together they need less than a millisecond. */
const PIECES_A_TURN = 4;

/**
 * Work that can wait, such as refusing requests beyond a limit: a few pieces in each turn of the event loop,
 * with callers in turns. A caller that causes thousands of pieces at once delays nobody.
 */
export class Unhurried {
  readonly #pieces = new FairQueue<() => void>();

  /** Does `piece` in a later turn. It must not throw. */
  add(caller: string, piece: () => void): void {
    if (this.#pieces.isEmpty) setImmediate(() => this.#turn());
    this.#pieces.push(caller, piece);
  }

  #turn(): void {
    // A piece that is added by the last of these must not schedule a second series of turns.
    const pieces = Array.from({ length: PIECES_A_TURN }, () => this.#pieces.shift());
    if (!this.#pieces.isEmpty) setImmediate(() => this.#turn());
    for (const piece of pieces) piece?.();
  }
}

/**
 * Runs a long computation to its end, one step in each turn of the event loop, which serves others in between.
 *
 * @param steps yields after about a millisecond each.
 * @returns the computation's result.
 * @throws what the computation throws, or the reason of `signal` once it has aborted.
 */
export async function inSteps<T>(steps: Generator<void, T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    signal?.throwIfAborted();
    const step = steps.next();
    if (step.done === true) return step.value;
    await nextTurn();
  }
}

/** Runs work of the server itself one after the other, in order of arrival. Calls do not wait here: it sets no limit. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work, work);
    this.#last = done;
    return done;
  }
}
