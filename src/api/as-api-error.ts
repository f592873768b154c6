import { Code } from "../gen/google/rpc/code_pb.js";
import { NoSlotError } from "../limits/limit-wait.js";
import { StoreUnavailableError } from "../model/store-error.js";
import { ApiError } from "./api-error.js";
import { internalError, responseQueueFull } from "./call-errors.js";

/**
 * Translates the error of a failed call into the one that its caller receives. Every protocol does this at
 * its edge; services let errors of stores pass. The original error stays in `cause`, for logs.
 *
 * @returns `STORE_UNAVAILABLE` for a {@link StoreUnavailableError}, `RESPONSE_QUEUE_FULL` for a {@link NoSlotError},
 *   `INTERNAL_ERROR` for an unexpected error.
 */
export function asApiError(cause: unknown, requestId: string): ApiError {
  if (cause instanceof ApiError) return cause;
  if (cause instanceof StoreUnavailableError) return storeUnavailable(cause);
  if (cause instanceof NoSlotError) return responseQueueFull(cause);
  return internalError(requestId, cause);
}

const storeUnavailable = (cause: StoreUnavailableError): ApiError =>
  new ApiError({
    code: Code.UNAVAILABLE,
    reason: "STORE_UNAVAILABLE",
    message: "The store cannot be reached at the moment: try again after a while.",
    headers: { "retry-after": "5" },
    cause,
  });
