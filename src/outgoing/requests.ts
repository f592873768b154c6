/**
 * Runs work with a timeout.
 *
 * @param ms timeout, in milliseconds.
 * @param late reason for the abort at the timeout.
 * @param signal aborts the work too, with its own reason.
 * @param work gets a signal, and a function that restarts the timeout.
 * @throws `late`, the reason of `signal`, or the work's error.
 */
export async function withinTime<T>(
  ms: number,
  late: Error,
  signal: AbortSignal,
  work: (signal: AbortSignal, again: () => void) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  // Referenced here, because a signal that only the work refers to, such as one of AbortSignal.any, may be
  // garbage-collected before it aborts.
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(late), ms);
  const abort = (): void => controller.abort(signal.reason);
  signal.addEventListener("abort", abort);
  try {
    return await work(controller.signal, () => timer.refresh());
  } catch (error) {
    controller.signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

/** Returns the error code of a failed request. Error messages may contain the URL. */
export function errorCode(error: unknown): string {
  const { cause, code, name } = Object(error) as { cause?: unknown; code?: unknown; name?: unknown };
  return String((Object(cause) as { code?: unknown }).code ?? code ?? name);
}
