import { Code as ConnectCode, ConnectError } from "@connectrpc/connect";
import { ApiError } from "../../api/api-error.js";
import { deadlineExceeded, requestAborted } from "../../api/errors.js";
import { Code } from "../../gen/google/rpc/code_pb.js";
import { malformedRequest } from "../../http/errors.js";
import { excerpt } from "../../limits/excerpt.js";
import { MAX_MESSAGE_BYTES } from "../../limits/request-limits.js";

/** The call violates its protocol. */
export function malformedCall(text: string, code = Code.INVALID_ARGUMENT, cause?: unknown): ApiError {
  // Connect's message may contain input of the caller.
  const problem = excerpt(text);
  return new ApiError({
    code,
    reason: "MALFORMED_CALL",
    message: `The call is malformed: ${problem}.`,
    metadata: { problem },
    cause,
  });
}

/** The request message is larger than the limit. */
export const messageTooLarge = (limit: number, cause?: unknown): ApiError =>
  new ApiError({
    code: Code.RESOURCE_EXHAUSTED,
    reason: "MESSAGE_TOO_LARGE",
    message: `The request message is larger than ${limit} bytes. Send a smaller one.`,
    metadata: { limitBytes: String(limit) },
    cause,
  });

/** The called method does not exist (404). */
export const unknownMethod = (path: string): ApiError =>
  new ApiError({
    code: Code.UNIMPLEMENTED,
    reason: "METHOD_UNKNOWN",
    message: `There is no method ${excerpt(path)}. List the services and methods with server reflection.`,
    metadata: { path: excerpt(path) },
    httpStatus: 404,
  });

/** The method requires HTTP/2 (505). */
export const http2Required = (): ApiError =>
  new ApiError({
    code: Code.INVALID_ARGUMENT,
    reason: "HTTP2_REQUIRED",
    message: "This method streams in both directions. Call it over HTTP/2.",
    httpStatus: 505,
  });

/**
 * Converts errors that Connect and Node.js find while they read a call. Returns any other error unchanged, for
 * `asApiError`.
 */
export function translateReadError(cause: unknown): unknown {
  if (cause instanceof ConnectError) return fromConnect(cause);
  if (cause instanceof Error && cause.name === "AbortError") return requestAborted(cause);
  // The request's authority may be an invalid host.
  if (cause instanceof TypeError && "code" in cause && cause.code === "ERR_INVALID_URL") {
    return malformedRequest("its authority is not a valid host", cause);
  }
  return cause;
}

/**
 * Converts errors that Connect finds in a call, such as malformed or oversized frames, an exceeded deadline, or a lost
 * client.
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
    default: {
      // This includes internal errors of Connect, because Connect has processed only the request. For those without a
      // description, such as invalid base64 in a GET call, Connect has a text that sounds like an error of the server.
      const text = cause.rawMessage === "internal error" ? "its message cannot be decoded" : cause.rawMessage;
      return malformedCall(text, Code.INVALID_ARGUMENT, cause);
    }
  }
}

/**
 * Reads the message size limit from an error, in bytes. The limit depends on the method, and Connect reports it only in
 * the error text.
 */
function limitOf({ rawMessage }: ConnectError): number {
  return Number(/readMaxBytes (\d+)/.exec(rawMessage)?.[1] ?? MAX_MESSAGE_BYTES);
}
