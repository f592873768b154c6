import { ApiError } from "./api-error.js";
import { internalError } from "./http-errors.js";

/** What the caller is told of whatever failed. What a fault of ours really is stays in its `cause`, for whoever observes. */
export function asApiError(cause: unknown, requestId: string): ApiError {
  return cause instanceof ApiError ? cause : internalError(requestId, cause);
}
