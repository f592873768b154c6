import { ApiError } from "../api/api-error.js";
import { Code } from "../gen/google/rpc/code_pb.js";
import { excerpt } from "../limits/excerpt.js";

/** The request is not valid HTTP (400). */
export const malformedRequest = (detail: string, cause?: unknown): ApiError =>
  new ApiError({
    code: Code.INVALID_ARGUMENT,
    reason: "MALFORMED_REQUEST",
    message: `The request is not valid HTTP: ${detail}.`,
    metadata: { detail },
    cause,
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

/** The request has an `Expect` other than `100-continue` (417). */
export const expectationFailed = (given: string): ApiError =>
  new ApiError({
    code: Code.INVALID_ARGUMENT,
    reason: "EXPECTATION_FAILED",
    message: `The expectation ${excerpt(given)} cannot be met; leave the Expect header out.`,
    metadata: { expect: excerpt(given) },
    httpStatus: 417,
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

/** The header section is larger than the server accepts (431). */
export const headersTooLarge = (limit: number): ApiError =>
  new ApiError({
    code: Code.INVALID_ARGUMENT,
    reason: "HEADERS_TOO_LARGE",
    message: `The request headers are larger than ${limit} bytes.`,
    metadata: { limitBytes: String(limit) },
    httpStatus: 431,
  });
