/**
 * Settles like `work`, or rejects with the abort reason as soon as `signal` aborts. The work itself continues.
 */
export function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Returns a promise, and the function that resolves it. */
export function withResolver<T = void>(): {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
} {
  let resolve = (_value: T): void => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** Waits for a number of milliseconds. @throws the abort reason as soon as the signal aborts. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  try {
    await abortable(over, signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Limits of a backoff, in milliseconds. */
export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/**
 * Returns the pause after a failure, in milliseconds. The pause doubles with each failure, up to a maximum. Up to half
 * of it is subtracted at random, so that processes that failed together do not retry together.
 *
 * @param failures number of consecutive failures, from 1.
 * @param random from 0 to 1.
 */
export function backoffMs(failures: number, { firstMs, maxMs }: Backoff, random = Math.random()): number {
  return Math.min(firstMs * 2 ** (failures - 1), maxMs) * (0.5 + random / 2);
}
