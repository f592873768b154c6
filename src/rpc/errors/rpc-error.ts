import { Code as ConnectCode, ConnectError } from "@connectrpc/connect";
import type { ApiError } from "../../api/api-error.js";
import { asApiError } from "../../api/as-api-error.js";
import { deadlineExceeded, malformedRequest, requestAborted } from "../../api/http-errors.js";
import { Code } from "../../gen/google/rpc/code_pb.js";
import { MAX_MESSAGE_BYTES } from "../../limits/limits.js";
import { malformedCall, messageTooLarge } from "./call-problems.js";

/** What the caller is told of whatever failed in a call, also where Connect or Node found it. */
export function rpcError(cause: unknown, requestId: string): ApiError {
  if (cause instanceof ConnectError) return fromConnect(cause);
  if (cause instanceof Error && cause.name === "AbortError") return requestAborted(cause);
  // The address that a request claims to be for need not be one.
  if (cause instanceof TypeError && "code" in cause && cause.code === "ERR_INVALID_URL") {
    return malformedRequest("its authority is no host", cause);
  }
  return asApiError(cause, requestId);
}

/** What Connect found wrong with a call: frames that are malformed or too large, a deadline, a client that left. */
function fromConnect(cause: ConnectError): ApiError {
  switch (cause.code) {
    case ConnectCode.DeadlineExceeded:
      return deadlineExceeded(cause);
    case ConnectCode.Canceled:
    case ConnectCode.Aborted:
      return requestAborted(cause);
    case ConnectCode.ResourceExhausted:
      return messageTooLarge(limitOf(cause), cause);
    case ConnectCode.Unimplemented:
      return malformedCall(cause.rawMessage, Code.UNIMPLEMENTED, cause);
    default:
      // Also what Connect calls internal: it has seen nothing but the request.
      return malformedCall(cause.rawMessage, Code.INVALID_ARGUMENT, cause);
  }
}

/** How many bytes a message may have, which depends on the method and which Connect tells in its text alone. */
function limitOf({ rawMessage }: ConnectError): number {
  return Number(/readMaxBytes (\d+)/.exec(rawMessage)?.[1] ?? MAX_MESSAGE_BYTES);
}
