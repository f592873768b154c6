import { setImmediate as nextTurn } from "node:timers/promises";

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
