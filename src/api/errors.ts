import { Code } from "../gen/google/rpc/code_pb.js";
import { excerpt } from "../limits/excerpt.js";
import { NoSlotError } from "../limits/limit-wait.js";
import { StoreUnavailableError } from "../model/store-error.js";
import { ApiError } from "./api-error.js";

/** The method does not accept the body's `Content-Type` (415). */
export const unsupportedMediaType = (contentType: string | undefined, accepted: string): ApiError =>
  new ApiError({
    code: Code.INVALID_ARGUMENT,
    reason: "UNSUPPORTED_MEDIA_TYPE",
    message: `The body must be ${accepted}, not ${contentType === undefined ? "without a Content-Type" : excerpt(contentType)}.`,
    metadata: { contentType: excerpt(contentType ?? ""), accepted },
    httpStatus: 415,
  });

/** The resource does not exist (404). @param advice a sentence. */
export const resourceNotFound = (name: string, advice: string): ApiError =>
  new ApiError({
    code: Code.NOT_FOUND,
    reason: "RESOURCE_NOT_FOUND",
    message: `${excerpt(name)} does not exist. ${advice}`,
    metadata: { resourceName: excerpt(name) },
  });

/** An app is not registered in the project (404). */
export const appNotFound = (project: string, appId: string): ApiError =>
  resourceNotFound(`projects/${project}/apps/${appId}`, "Check the project and the app id.");

/** The `etag` field of a change requires another state of the resource (409, AIP-154). */
export const etagFieldMismatch = (name: string): ApiError => stateMismatch(name, "etag", 409);

/** A header of a change, such as `If-Match`, requires another state of the resource (412, RFC 9110 §13.1). */
export const headerMismatch = (name: string, header: string): ApiError => stateMismatch(name, header, 412);

const stateMismatch = (name: string, sentAs: string, httpStatus: number): ApiError =>
  new ApiError({
    code: Code.ABORTED,
    reason: "ETAG_MISMATCH",
    message: `The current state of ${name} does not satisfy the request's ${sentAs}. Read it again before you change it.`,
    metadata: { resourceName: name, sentAs },
    httpStatus,
  });

/** The request did not arrive in time (408). */
export const requestTimeout = (): ApiError =>
  new ApiError({
    code: Code.DEADLINE_EXCEEDED,
    reason: "REQUEST_TIMEOUT",
    message: "The request did not arrive in time. Send it again.",
    httpStatus: 408,
  });

/** The caller disconnected before its request was complete (499). Only logs and metrics show this error. */
export const requestAborted = (cause?: unknown): ApiError =>
  new ApiError({
    code: Code.CANCELLED,
    reason: "REQUEST_ABORTED",
    message: "The connection closed before the request was complete.",
    cause,
  });

/** The caller's deadline has passed (504). */
export const deadlineExceeded = (cause?: unknown): ApiError =>
  new ApiError({
    code: Code.DEADLINE_EXCEEDED,
    reason: "DEADLINE_EXCEEDED",
    message:
      "The call's deadline passed before the response was ready. Allow more time, or request less data.",
    cause,
  });

/** The server is shutting down and rejects new calls (503). */
export const shuttingDown = (): ApiError =>
  new ApiError({
    code: Code.UNAVAILABLE,
    reason: "SHUTTING_DOWN",
    message: "The server is shutting down. Send the request again in a moment.",
    headers: { "retry-after": "1" },
  });

/** Too many calls are waiting for a slot, or no slot became free in time (503). */
const responseQueueFull = (cause?: unknown): ApiError =>
  new ApiError({
    code: Code.UNAVAILABLE,
    reason: "RESPONSE_QUEUE_FULL",
    message:
      "Too many calls are waiting for a slot. Send the request again in a moment, and send fewer requests at the same time.",
    headers: { "retry-after": "1" },
    cause,
  });

/** An unexpected server error (500). The log has the cause, under the request id that the caller receives. */
const internalError = (requestId: string, cause: unknown): ApiError =>
  new ApiError({
    code: Code.INTERNAL,
    reason: "INTERNAL_ERROR",
    message: `Internal error. Report request id ${requestId} to the operator.`,
    metadata: { requestId },
    cause,
  });

/**
 * Converts any thrown error to an error for the caller. Each protocol calls this function before it sends an error, so
 * services need not catch store errors. The thrown error becomes the `cause`, for logs.
 *
 * @returns `STORE_UNAVAILABLE` for a {@link StoreUnavailableError}, `RESPONSE_QUEUE_FULL` for a {@link NoSlotError},
 * `INTERNAL_ERROR` for an unexpected error.
 */
export function asApiError(cause: unknown, requestId: string): ApiError {
  if (cause instanceof ApiError) return cause;
  if (cause instanceof StoreUnavailableError) return storeUnavailable(cause);
  if (cause instanceof NoSlotError) return responseQueueFull(cause);
  return internalError(requestId, cause);
}

const storeUnavailable = (cause: StoreUnavailableError): ApiError =>
  new ApiError({
    code: Code.UNAVAILABLE,
    reason: "STORE_UNAVAILABLE",
    message: "The store cannot be reached at the moment. Try again later.",
    headers: { "retry-after": "5" },
    cause,
  });
