import { ApiError } from "../../api/api-error.js";
import { Code } from "../../gen/google/rpc/code_pb.js";

/** The resource does not match the condition in a precondition header (412). */
export const preconditionFailed = (header: string): ApiError =>
  new ApiError({
    code: Code.ABORTED,
    reason: "PRECONDITION_FAILED",
    message: `${header} does not match the current state. Omit the header, or send the ETag from a GET response.`,
    metadata: { header },
    httpStatus: 412,
  });

/** The caller has not read too many of its earlier responses (503). */
export const responseBacklogExceeded = (cause?: unknown): ApiError =>
  new ApiError({
    code: Code.UNAVAILABLE,
    reason: "RESPONSE_BACKLOG_EXCEEDED",
    message: "Too many responses are still unread. Read them, then send the request again.",
    headers: { "retry-after": "1" },
    cause,
  });
