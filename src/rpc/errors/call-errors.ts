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
