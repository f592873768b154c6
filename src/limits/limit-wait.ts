import { MAX_WAIT_MS } from "./limits.js";

/** A call gets no slot: too many calls are queued, or none became free in time. The same call may succeed later. */
export class NoSlotError extends Error {
  override readonly name: string = "NoSlotError";
}

/** No slot became free in time. */
export class WaitTimeoutError extends NoSlotError {
  override readonly name = "WaitTimeoutError";
}

/** Allowances by signal. */
const allowances = new WeakMap<AbortSignal, WaitAllowance>();

/** The time that a call may wait in all queues together: {@link MAX_WAIT_MS}. Concurrent waits count once. */
export class WaitAllowance {
  #leftMs = MAX_WAIT_MS;
  #waits = 0;
  #since = 0;

  /** Limits the waits of all work under the signal. @returns the signal. */
  cover(signal: AbortSignal): AbortSignal {
    allowances.set(signal, this);
    return signal;
  }

  /** Counts the time until a promise settles as a wait. */
  async spendOn<T>(wait: Promise<T>): Promise<T> {
    this.begin();
    try {
      return await wait;
    } finally {
      this.end();
    }
  }

  /** Begins a wait. @returns its maximum duration, in milliseconds. */
  begin(): number {
    const now = performance.now();
    if (this.#waits++ === 0) this.#since = now;
    return Math.max(this.#leftMs - (now - this.#since), 0);
  }

  /** Ends a wait. */
  end(): void {
    if (--this.#waits === 0) this.#leftMs -= performance.now() - this.#since;
  }
}

/**
 * Limits the time that a call waits for a slot or a budget. Every queue of calls uses it. With a signal that a {@link
 * WaitAllowance} covers, all waits of the call last {@link MAX_WAIT_MS} in total; otherwise each wait may.
 *
 * @param leave leaves the queue. Called at most once, with the reason: that of `signal` when it aborts, or a {@link
 *   WaitTimeoutError}.
 * @param maxMs a shorter limit, or infinity for the server's own work.
 * @returns a function that ends the wait. Call it when the slot is there.
 * @throws the reason of `signal` if it has aborted already; WaitTimeoutError if the call has used up its allowance.
 */
export function limitWait(
  leave: (reason: unknown) => void,
  signal?: AbortSignal,
  maxMs: number = MAX_WAIT_MS,
): () => void {
  signal?.throwIfAborted();
  const allowance = signal && allowances.get(signal);
  const leftMs = allowance?.begin() ?? Number.POSITIVE_INFINITY;
  if (leftMs === 0) {
    allowance?.end();
    throw timedOut();
  }
  const limitMs = Math.min(maxMs, leftMs);
  const end = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    allowance?.end();
  };
  const leaveFor = (reason: unknown): void => {
    end();
    leave(reason);
  };
  const abort = (): void => leaveFor(signal?.reason);
  const timer = Number.isFinite(limitMs) ? setTimeout(() => leaveFor(timedOut()), limitMs) : undefined;
  signal?.addEventListener("abort", abort, { once: true });
  return end;
}

const timedOut = (): WaitTimeoutError => new WaitTimeoutError("no slot became free in time");
