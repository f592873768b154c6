import { Code } from "../gen/google/rpc/code_pb.js";
import { excerpt } from "../limits/excerpt.js";
import { ApiError } from "./api-error.js";

/** The request is not valid HTTP (400). */
export const malformedRequest = (detail: string, cause?: unknown): ApiError =>
  new ApiError({
    code: Code.INVALID_ARGUMENT,
    reason: "MALFORMED_REQUEST",
    message: `The request is not valid HTTP: ${detail}.`,
    metadata: { detail },
    cause,
  });

/** No route has the path (404). */
export const routeNotFound = (path: string): ApiError =>
  new ApiError({
    code: Code.NOT_FOUND,
    reason: "ROUTE_NOT_FOUND",
    message: `There is nothing at ${excerpt(path)}. Check the path against the reference of the API.`,
    metadata: { path: excerpt(path) },
  });

/** The called method does not exist (404). */
export const unknownMethod = (path: string): ApiError =>
  new ApiError({
    code: Code.UNIMPLEMENTED,
    reason: "METHOD_UNKNOWN",
    message: `There is no method ${excerpt(path)}. Ask for the services by server reflection.`,
    metadata: { path: excerpt(path) },
    httpStatus: 404,
  });

/** The path exists, but not with this HTTP method (405). */
export const methodNotAllowed = (method: string, path: string, allowed: readonly string[]): ApiError =>
  new ApiError({
    code: Code.UNIMPLEMENTED,
    reason: "METHOD_NOT_ALLOWED",
    message: `${excerpt(method)} is not possible at ${excerpt(path)}; use ${allowed.join(" or ")}.`,
    metadata: { method: excerpt(method), path: excerpt(path), allowed: allowed.join(", ") },
    httpStatus: 405,
    headers: { allow: allowed.join(", ") },
  });

/** The caller took too long to send its request (408). */
export const requestTimeout = (): ApiError =>
  new ApiError({
    code: Code.DEADLINE_EXCEEDED,
    reason: "REQUEST_TIMEOUT",
    message: "The request did not arrive in time. Send it again.",
    httpStatus: 408,
  });

/** A precondition in a header does not hold for the current state (412). */
export const preconditionFailed = (header: string): ApiError =>
  new ApiError({
    code: Code.ABORTED,
    reason: "PRECONDITION_FAILED",
    message: `${header} does not hold for what is there. Leave the header out, or send the ETag of a GET.`,
    metadata: { header },
    httpStatus: 412,
  });

/** The caller's deadline has passed (504). */
export const deadlineExceeded = (cause?: unknown): ApiError =>
  new ApiError({
    code: Code.DEADLINE_EXCEEDED,
    reason: "DEADLINE_EXCEEDED",
    message: "The deadline of the call passed before there was an answer. Allow more time, or ask for less.",
    cause,
  });

/** The body is larger than the method accepts (413). */
export const bodyTooLarge = (limit: number): ApiError =>
  new ApiError({
    code: Code.INVALID_ARGUMENT,
    reason: "BODY_TOO_LARGE",
    message: `The body is larger than ${limit} bytes.`,
    metadata: { limitBytes: String(limit) },
    httpStatus: 413,
  });

/** The request target is longer than the server accepts (414). */
export const uriTooLong = (limit: number): ApiError =>
  new ApiError({
    code: Code.INVALID_ARGUMENT,
    reason: "URI_TOO_LONG",
    message: `The URL is longer than ${limit} bytes.`,
    metadata: { limitBytes: String(limit) },
    httpStatus: 414,
  });

/** The method does not accept the body's `Content-Type` (415). */
export const unsupportedMediaType = (given: string | undefined, accepted: string): ApiError =>
  new ApiError({
    code: Code.INVALID_ARGUMENT,
    reason: "UNSUPPORTED_MEDIA_TYPE",
    message: `The body must be ${accepted}, not ${given === undefined ? "without a Content-Type" : excerpt(given)}.`,
    metadata: { contentType: excerpt(given ?? ""), accepted },
    httpStatus: 415,
  });

/** The server cannot decode the body's `Content-Encoding` (415). */
export const unsupportedEncoding = (given: string, decoded: readonly string[]): ApiError => {
  const accepted = decoded.join(", ") || "identity";
  const choice = decoded.length === 0 ? "send the body as it is" : `use one of ${accepted}, or none`;
  return new ApiError({
    code: Code.INVALID_ARGUMENT,
    reason: "UNSUPPORTED_ENCODING",
    message: `The Content-Encoding ${excerpt(given)} is not supported here; ${choice}.`,
    metadata: { contentEncoding: excerpt(given), accepted },
    httpStatus: 415,
    // RFC 9110 §12.5.3
    headers: { "accept-encoding": accepted },
  });
};

/** Too many bodies are being decompressed at the same time (503). */
export const unpackingBusy = (): ApiError =>
  new ApiError({
    code: Code.UNAVAILABLE,
    reason: "UNPACKING_BUSY",
    message:
      "Too many packed bodies are on their way. Send this one again in a moment, or with a smaller window.",
    headers: { "retry-after": "1" },
  });

/** The body is invalid in its `Content-Encoding`, or costs too much to decompress for its content (400). */
export const malformedEncoding = (encoding: string, cause: unknown): ApiError =>
  new ApiError({
    code: Code.INVALID_ARGUMENT,
    reason: "MALFORMED_ENCODING",
    message: `The body cannot be unpacked: it is not valid ${encoding}, is cut short, or is far larger than its content.`,
    metadata: { contentEncoding: encoding },
    cause,
  });

/** The request has an `Expect` other than `100-continue` (417). */
export const expectationFailed = (given: string): ApiError =>
  new ApiError({
    code: Code.INVALID_ARGUMENT,
    reason: "EXPECTATION_FAILED",
    message: `The expectation ${excerpt(given)} cannot be met; leave the Expect header out.`,
    metadata: { expect: excerpt(given) },
    httpStatus: 417,
  });

/** The header section is larger than the server accepts (431). */
export const headersTooLarge = (limit: number): ApiError =>
  new ApiError({
    code: Code.INVALID_ARGUMENT,
    reason: "HEADERS_TOO_LARGE",
    message: `The request headers are larger than ${limit} bytes.`,
    metadata: { limitBytes: String(limit) },
    httpStatus: 431,
  });

/** The caller disconnected before its request was complete; nobody reads this response (499). */
export const requestAborted = (cause?: unknown): ApiError =>
  new ApiError({
    code: Code.CANCELLED,
    reason: "REQUEST_ABORTED",
    message: "The connection closed before the request was complete.",
    cause,
  });

/** The caller has left too many responses unread (503). */
export const answersUnread = (): ApiError =>
  new ApiError({
    code: Code.UNAVAILABLE,
    reason: "ANSWERS_UNREAD",
    message:
      "Too many answers are on their way that were not taken yet. Read those, then send the request again.",
    headers: { "retry-after": "1" },
  });

/** Too many calls wait for their turn at slow work (503). */
export const answerQueueFull = (): ApiError =>
  new ApiError({
    code: Code.UNAVAILABLE,
    reason: "ANSWER_QUEUE_FULL",
    message:
      "Too many answers wait to be made. Send the request again in a moment, and fewer at the same time.",
    headers: { "retry-after": "1" },
  });

/** The server does not know the HTTP method (501). */
export const methodNotImplemented = (cause: unknown): ApiError =>
  new ApiError({
    code: Code.UNIMPLEMENTED,
    reason: "METHOD_NOT_IMPLEMENTED",
    message: "The server knows no such method of HTTP. Check how it is spelt, in upper case.",
    httpStatus: 501,
    cause,
  });

/** The body has a transfer coding other than `chunked` (501). */
export const transferCodingNotImplemented = (given?: string, cause?: unknown): ApiError =>
  new ApiError({
    code: Code.UNIMPLEMENTED,
    reason: "TRANSFER_CODING_NOT_IMPLEMENTED",
    message:
      "The only Transfer-Encoding that the server knows is chunked. Pack the body by Content-Encoding.",
    metadata: given === undefined ? {} : { transferEncoding: excerpt(given) },
    httpStatus: 501,
    cause,
  });

/** The server is shutting down (503). */
export const shuttingDown = (): ApiError =>
  new ApiError({
    code: Code.UNAVAILABLE,
    reason: "SHUTTING_DOWN",
    message: "The server is shutting down. Send the request again in a moment.",
    headers: { "retry-after": "1" },
  });

/** The method requires HTTP/2 (505). */
export const http2Required = (): ApiError =>
  new ApiError({
    code: Code.INVALID_ARGUMENT,
    reason: "HTTP2_REQUIRED",
    message: "This method streams both ways: call it by HTTP/2.",
    httpStatus: 505,
  });

/** A fault of the server (500). The log has the cause, under the request id that the caller receives. */
export const internalError = (requestId: string, cause: unknown): ApiError =>
  new ApiError({
    code: Code.INTERNAL,
    reason: "INTERNAL_ERROR",
    message: `Internal error. Report request id ${requestId} to the operator.`,
    metadata: { requestId },
    cause,
  });
