import { ApiError } from "../../api/api-error.js";
import { Code } from "../../gen/google/rpc/code_pb.js";

/** A precondition in a header does not hold for the current state (412). */
export const preconditionFailed = (header: string): ApiError =>
  new ApiError({
    code: Code.ABORTED,
    reason: "PRECONDITION_FAILED",
    message: `${header} does not hold for what is there. Leave the header out, or send the ETag of a GET.`,
    metadata: { header },
    httpStatus: 412,
  });

/** The caller has left too many responses unread (503). */
export const responseBacklogExceeded = (cause?: unknown): ApiError =>
  new ApiError({
    code: Code.UNAVAILABLE,
    reason: "RESPONSE_BACKLOG_EXCEEDED",
    message:
      "Too many answers are on their way that were not taken yet. Read those, then send the request again.",
    headers: { "retry-after": "1" },
    cause,
  });
