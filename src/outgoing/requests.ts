/**
 * Does work that has to end in time.
 *
 * @param ms the time, in milliseconds.
 * @param late reason with which the work ends when that has passed.
 * @param signal ends the work too, with its own reason.
 * @param work is given a signal that ends it, and a function that starts the time anew.
 * @throws `late`, the reason of `signal`, or what the work throws by itself.
 */
export async function withinTime<T>(
  ms: number,
  late: Error,
  signal: AbortSignal,
  work: (signal: AbortSignal, again: () => void) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  // Held here: a signal that only the work refers to, such as one of AbortSignal.any, may be collected before it aborts.
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

/** Returns the code of why a request failed: the message of an error may quote the address. */
export function faultCode(error: unknown): string {
  const { cause, code, name } = Object(error) as { cause?: unknown; code?: unknown; name?: unknown };
  return String((Object(cause) as { code?: unknown }).code ?? code ?? name);
}
