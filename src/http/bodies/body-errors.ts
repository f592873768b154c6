import { ApiError } from "../../api/api-error.js";
import { Code } from "../../gen/google/rpc/code_pb.js";
import { excerpt } from "../../limits/excerpt.js";

/** The body is larger than the method accepts (413). */
export const bodyTooLarge = (limit: number): ApiError =>
  new ApiError({
    code: Code.INVALID_ARGUMENT,
    reason: "BODY_TOO_LARGE",
    message: `The body is larger than ${limit} bytes.`,
    metadata: { limitBytes: String(limit) },
    httpStatus: 413,
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

/** The body is invalid in its `Content-Encoding`, or costs too much to decompress for its content (400). */
export const malformedEncoding = (encoding: string, cause: unknown): ApiError =>
  new ApiError({
    code: Code.INVALID_ARGUMENT,
    reason: "MALFORMED_ENCODING",
    message: `The body cannot be unpacked: it is not valid ${encoding}, is cut short, or is far larger than its content.`,
    metadata: { contentEncoding: encoding },
    cause,
  });

/** Too many bodies are being decompressed at the same time (503). */
export const decompressionBusy = (): ApiError =>
  new ApiError({
    code: Code.UNAVAILABLE,
    reason: "DECOMPRESSION_BUSY",
    message:
      "Too many packed bodies are on their way. Send this one again in a moment, or with a smaller window.",
    headers: { "retry-after": "1" },
  });
