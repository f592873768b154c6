import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../../src/simulator/random.js";
import { CallFailure } from "../callers/call-failure.js";

export interface Pace {
  /** Average milliseconds between one action's end and the next one's start. */
  readonly pause: number;
  readonly random: Random;
  /** Ends the work. */
  readonly signal: AbortSignal;
}

/** Repeats some work. A failed call ends only the current repetition. */
export async function repeatedly({ pause, random, signal }: Pace, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
    }
    if (pause > 0) await sleep(random.wait(pause), undefined, { signal }).catch(() => {});
  }
}

/** A random item. @throws RangeError if the list is empty. */
export function oneOf<T>(items: readonly T[], random: Random): T {
  if (items.length === 0) throw new RangeError("there is nothing to choose from");
  return items[random.below(items.length)] as T;
}
