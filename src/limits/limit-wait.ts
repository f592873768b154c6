import { MAX_WAIT_MS } from "./request-limits.js";

/**
 * A call gets no slot, because too many calls are queued or no slot became free in time. The same call may succeed
 * later.
 */
export class NoSlotError extends Error {
  override readonly name: string = "NoSlotError";
}

/** No slot became free in time. */
export class WaitTimeoutError extends NoSlotError {
  override readonly name = "WaitTimeoutError";
}

/** Allowances by abort signal. */
const allowances = new WeakMap<AbortSignal, WaitAllowance>();

/** Total time that a call may wait in all queues: {@link MAX_WAIT_MS}. Concurrent waits count only once. */
export class WaitAllowance {
  #leftMs = MAX_WAIT_MS;
  #waits = 0;
  #since = 0;

  /** Applies this allowance to all work under a signal. @returns the signal. */
  cover(signal: AbortSignal): AbortSignal {
    allowances.set(signal, this);
    return signal;
  }

  /** Counts the time until a promise settles as waiting time. */
  async spendOn<T>(wait: Promise<T>): Promise<T> {
    this.begin();
    try {
      return await wait;
    } finally {
      this.end();
    }
  }

  /** Begins a wait. @returns the maximum duration of the wait, in milliseconds. */
  begin(): number {
    const now = performance.now();
    if (this.#waits++ === 0) this.#since = now;
    return Math.max(this.#leftMs - (now - this.#since), 0);
  }

  end(): void {
    if (--this.#waits === 0) this.#leftMs -= performance.now() - this.#since;
  }
}

/**
 * Limits how long a call waits for a slot or a budget. All queues use this function. If a {@link WaitAllowance} covers
 * the signal, all waits of the call together last at most {@link MAX_WAIT_MS}. Otherwise, each wait may last that long.
 *
 * @param leave removes the call from the queue. Called at most once, with the abort reason of `signal` or a
 * {@link WaitTimeoutError}.
 * @param maxMs a shorter limit, or infinity for the server's own work.
 * @returns a function that ends the wait. Call it when the slot is available.
 * @throws the abort reason of `signal` if it has already aborted; WaitTimeoutError if the call has used up its
 * allowance.
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
