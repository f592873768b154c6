import { ApiError } from "../../api/api-error.js";
import { Code } from "../../gen/google/rpc/code_pb.js";
import { excerpt } from "../../limits/excerpt.js";

/** The call does not have the form that its protocol requires. */
export function malformedCall(text: string, code = Code.INVALID_ARGUMENT, cause?: unknown): ApiError {
  // Connect's text may quote the caller.
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
    message: `The request message is larger than ${limit} bytes.`,
    metadata: { limitBytes: String(limit) },
    cause,
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

/** The method requires HTTP/2 (505). */
export const http2Required = (): ApiError =>
  new ApiError({
    code: Code.INVALID_ARGUMENT,
    reason: "HTTP2_REQUIRED",
    message: "This method streams both ways: call it by HTTP/2.",
    httpStatus: 505,
  });
