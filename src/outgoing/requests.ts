import { inRequest } from "../telemetry/tracing.js";

export interface OutgoingRequest extends RequestInit {
  readonly headers: Headers | Readonly<Record<string, string>>;
}

/** Sends a request like `fetch`. In a trace, the request continues the trace. */
export function sendRequest(url: string | URL, request: OutgoingRequest): Promise<Response> {
  return inRequest(request.method ?? "GET", new URL(url), (traceHeaders) => {
    const headers = new Headers(request.headers);
    for (const [name, value] of Object.entries(traceHeaders)) headers.set(name, value);
    return fetch(url, { ...request, headers });
  });
}

/**
 * Runs work with a timeout.
 *
 * @param ms timeout, in milliseconds.
 * @param late abort reason when the timeout is reached.
 * @param signal also aborts the work, with its own reason.
 * @param work receives a signal, and a function that restarts the timeout.
 * @throws `late`, the abort reason of `signal`, or an error of the work.
 */
export async function withinTime<T>(
  ms: number,
  late: Error,
  signal: AbortSignal,
  work: (signal: AbortSignal, again: () => void) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  // The signal is referenced here. If only the work referred to it, a signal from AbortSignal.any could be
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

/** Returns the error code of a failed request. Error messages are not used, because they may contain the URL. */
export function errorCode(error: unknown): string {
  const { cause, code, name } = Object(error) as { cause?: unknown; code?: unknown; name?: unknown };
  return String((Object(cause) as { code?: unknown }).code ?? code ?? name);
}
