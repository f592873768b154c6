import { setTimeout as sleep } from "node:timers/promises";

/** Waits until the time has passed, in milliseconds, or the signal aborts. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  // A pause that is cut short has ended all the same.
  await sleep(milliseconds, undefined, { signal }).catch(() => {});
}
