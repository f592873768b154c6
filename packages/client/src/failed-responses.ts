import { type CanonicalCode, codeOfHttpStatus, isCanonicalCode } from "./canonical-code.js";
import type { BadRequestJson, ErrorInfoJson } from "./gen/google/rpc/error_details_pb.js";
import { retryAfterMs } from "./support/responses.js";
import { WaybillError } from "./waybill-error.js";

/** A response that was received completely. */
export interface CompleteResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The service that a response came from. */
export interface Sender {
  /** Origin of the server, such as `http://127.0.0.1:8081`. */
  readonly origin: string;
  /** Name of the service that was called. */
  readonly service: string;
}

/**
 * Returns the error in a response (AIP-193), or {@link unexplained} if the response has another format.
 */
export function errorOf(response: CompleteResponse, sender: Sender): WaybillError {
  const { status, headers, text } = response;
  const error = asObject(asObject(parseJson(text))?.error);
  const code = error?.status;
  if (!isCanonicalCode(code) || typeof error?.message !== "string") return unexplained(response, sender);
  const details = (Array.isArray(error.details) ? error.details : []).map(asObject);
  const detail = (type: string) =>
    details.find((candidate) => candidate?.["@type"] === `type.googleapis.com/google.rpc.${type}`);
  const { reason, domain, metadata } = (detail("ErrorInfo") ?? {}) as ErrorInfoJson;
  const { fieldViolations = [] } = (detail("BadRequest") ?? {}) as BadRequestJson;
  return new WaybillError({
    code,
    message: error.message,
    httpStatus: status,
    reason,
    domain,
    metadata,
    violations: fieldViolations.map(({ field = "", description = "" }) => ({ field, description })),
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfterMs: retryAfterMs(headers, Date.now()),
    outcomeUnknown: UNCLEAR.has(code),
  });
}

/** Error codes after which the call may have had an effect. All other codes mean that the call had no effect. */
const UNCLEAR: ReadonlySet<CanonicalCode> = new Set([
  "CANCELLED",
  "UNKNOWN",
  "DEADLINE_EXCEEDED",
  "INTERNAL",
  "DATA_LOSS",
]);

/** Returns the error for a response that another server sent, such as a gateway in front of the service. */
export function unexplained(
  { status, headers }: CompleteResponse,
  { origin, service }: Sender,
): WaybillError {
  return new WaybillError({
    code: codeOfHttpStatus(status),
    message: `${origin} responded with HTTP status ${status} without a reason. Is it the ${service} service?`,
    httpStatus: status,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfterMs: retryAfterMs(headers, Date.now()),
    outcomeUnknown: true,
  });
}

/** Returns the error for a missing or truncated response. @param begun true if a part of the response was received. */
export function cutShort(cause: unknown, { origin }: Sender, begun: boolean): WaybillError {
  // The platform's error only has the message "fetch failed". The reason is in its cause.
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  // If a host name has several addresses, Node.js reports one error without a message. It contains the errors of all
  // addresses.
  const [first = inner] = inner instanceof AggregateError ? (inner.errors as unknown[]) : [];
  const why = first instanceof Error ? first.message : String(first);
  return new WaybillError({
    code: "UNAVAILABLE",
    message: begun
      ? `the response from ${origin} ended early: ${why}`
      : `${origin} cannot be reached: ${why}`,
    outcomeUnknown: begun || !NEVER_SENT.has((first as { code?: unknown } | undefined)?.code),
    cause,
  });
}

/** Node.js error codes for requests that were never sent. Browsers do not report such codes. */
const NEVER_SENT: ReadonlySet<unknown> = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Parses a JSON object. Returns `undefined` for any other string. */
export function jsonObjectOf(text: string): object | undefined {
  return asObject(parseJson(text));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
