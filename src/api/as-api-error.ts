import { Code } from "../gen/google/rpc/code_pb.js";
import { StoreUnavailableError } from "../model/store-error.js";
import { ApiError } from "./api-error.js";
import { internalError } from "./http-errors.js";

/** What the caller is told of whatever failed. What a fault of ours really is stays in its `cause`, for whoever observes. */
export function asApiError(cause: unknown, requestId: string): ApiError {
  return cause instanceof ApiError ? cause : internalError(requestId, cause);
}

/** What a caller is told when the store fails; any other error passes unchanged. */
export function toApiError(error: unknown): unknown {
  if (!(error instanceof StoreUnavailableError)) return error;
  return new ApiError({
    code: Code.UNAVAILABLE,
    reason: "STORE_UNAVAILABLE",
    message: "The store cannot be reached at the moment: try again after a while.",
    headers: { "retry-after": "5" },
    cause: error,
  });
}
