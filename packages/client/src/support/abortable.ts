/**
 * Waits for a promise until the signal aborts.
 *
 * @throws the signal's reason as soon as it aborts.
 */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Waits for some milliseconds. @throws the signal's reason as soon as it aborts. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
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
