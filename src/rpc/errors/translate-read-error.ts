import { Code as ConnectCode, ConnectError } from "@connectrpc/connect";
import type { ApiError } from "../../api/api-error.js";
import { deadlineExceeded, requestAborted } from "../../api/call-errors.js";
import { Code } from "../../gen/google/rpc/code_pb.js";
import { malformedRequest } from "../../http/head-errors.js";
import { MAX_MESSAGE_BYTES } from "../../limits/limits.js";
import { malformedCall, messageTooLarge } from "./rpc-errors.js";

/**
 * Translates errors that Connect and Node.js find while they read a call. Returns any other cause as it is,
 * for `asApiError`.
 */
export function translateReadError(cause: unknown): unknown {
  if (cause instanceof ConnectError) return fromConnect(cause);
  if (cause instanceof Error && cause.name === "AbortError") return requestAborted(cause);
  // The authority that a request names may not be a valid host.
  if (cause instanceof TypeError && "code" in cause && cause.code === "ERR_INVALID_URL") {
    return malformedRequest("its authority is no host", cause);
  }
  return cause;
}

/**
 * Translates the errors that Connect finds in a call: malformed or oversized frames, a missed deadline, a
 * lost client.
 */
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
      // Includes Connect's internal errors: Connect has processed nothing but the request.
      return malformedCall(cause.rawMessage, Code.INVALID_ARGUMENT, cause);
  }
}

/** The limit of a message, in bytes. It depends on the method, and Connect states it only in its text. */
function limitOf({ rawMessage }: ConnectError): number {
  return Number(/readMaxBytes (\d+)/.exec(rawMessage)?.[1] ?? MAX_MESSAGE_BYTES);
}
