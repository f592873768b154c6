import { ApiError } from "../api/api-error.js";
import { toApiError } from "../api/as-api-error.js";
import { deadlineExceeded, requestAborted } from "../api/http-errors.js";

/** What a caller is told when the store fails, or when the call was given up; any other error passes unchanged. */
export function callFailure(error: unknown, signal: AbortSignal): unknown {
  if (!signal.aborted || error !== signal.reason || error instanceof ApiError) return toApiError(error);
  const timedOut = error instanceof Error && error.name === "TimeoutError";
  return timedOut ? deadlineExceeded(error) : requestAborted(error);
}
