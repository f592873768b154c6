import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../../src/simulator/random.js";
import { CallFailure } from "../callers/call-failure.js";

/** When a client does its work. */
export interface Pace {
  /** Milliseconds between the end of one time and the beginning of the next, on average. */
  readonly pause: number;
  readonly random: Random;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** Does some work again and again. A call that fails in passing ends one time only. */
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

/** One of several, by chance. @throws RangeError if there are none. */
export function oneOf<T>(items: readonly T[], random: Random): T {
  if (items.length === 0) throw new RangeError("there is nothing to choose from");
  return items[random.below(items.length)] as T;
}
