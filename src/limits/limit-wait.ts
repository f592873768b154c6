import { MAX_WAIT_MS } from "./limits.js";

/** A call gets no slot: too many calls wait already, or none came free in time. The same call may succeed later. */
export class NoSlotError extends Error {
  override readonly name: string = "NoSlotError";
}

/** No slot came free in time. */
export class WaitTimeoutError extends NoSlotError {
  override readonly name = "WaitTimeoutError";
}

/**
 * Limits the time that a call waits for a slot or a budget. All queues of calls use it, so no call waits longer than
 * {@link MAX_WAIT_MS} in any of them.
 *
 * @param leave leaves the queue. Called at most once, with the reason: that of `signal` when it aborts, or a
 *   {@link WaitTimeoutError} when the time is over.
 * @param maxMs a shorter time; infinite for work of the server itself.
 * @returns ends the wait. Call it when the slot is there.
 * @throws the reason of `signal` if it has aborted already.
 */
export function limitWait(
  leave: (reason: unknown) => void,
  signal?: AbortSignal,
  maxMs: number = MAX_WAIT_MS,
): () => void {
  signal?.throwIfAborted();
  const end = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  };
  const leaveFor = (reason: unknown): void => {
    end();
    leave(reason);
  };
  const abort = (): void => leaveFor(signal?.reason);
  const timer = Number.isFinite(maxMs)
    ? setTimeout(() => leaveFor(new WaitTimeoutError("no slot came free in time")), maxMs)
    : undefined;
  signal?.addEventListener("abort", abort, { once: true });
  return end;
}
