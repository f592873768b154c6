import { Code as ConnectCode, ConnectError } from "@connectrpc/connect";
import { ApiError } from "../transcoding/api-error.js";
import {
  deadlineExceeded,
  internalError,
  malformedRequest,
  requestAborted,
} from "../transcoding/http-errors.js";

/** What the caller is told of whatever failed. */
export function asApiError(cause: unknown, requestId: string): ApiError {
  if (cause instanceof ApiError) return cause;
  if (cause instanceof ConnectError) return fromConnect(cause);
  if (cause instanceof Error && cause.name === "AbortError") return requestAborted(cause);
  // The address that a request claims to be for need not be one.
  if (cause instanceof TypeError && "code" in cause && cause.code === "ERR_INVALID_URL") {
    return malformedRequest("its authority is no host", cause);
  }
  return internalError(requestId, cause);
}

/** What Connect found wrong with a call: frames that are malformed or too large, a deadline, a client that left. */
function fromConnect(cause: ConnectError): ApiError {
  if (cause.code === ConnectCode.DeadlineExceeded) return deadlineExceeded(cause);
  if (cause.code === ConnectCode.Canceled || cause.code === ConnectCode.Aborted) return requestAborted(cause);
  return new ApiError({
    code: cause.code as number,
    reason: "MALFORMED_CALL",
    message: cause.rawMessage,
    cause,
  });
}
