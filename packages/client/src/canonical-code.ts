import type { Code } from "./gen/google/rpc/code_pb.js";

/** Canonical error code (`google/rpc/code.proto`), such as `NOT_FOUND`. */
export type CanonicalCode = Exclude<keyof typeof Code, "OK">;

const CODES: Readonly<Record<CanonicalCode, true>> = {
  CANCELLED: true,
  UNKNOWN: true,
  INVALID_ARGUMENT: true,
  DEADLINE_EXCEEDED: true,
  NOT_FOUND: true,
  ALREADY_EXISTS: true,
  PERMISSION_DENIED: true,
  UNAUTHENTICATED: true,
  RESOURCE_EXHAUSTED: true,
  FAILED_PRECONDITION: true,
  ABORTED: true,
  OUT_OF_RANGE: true,
  UNIMPLEMENTED: true,
  INTERNAL: true,
  UNAVAILABLE: true,
  DATA_LOSS: true,
};

/** Returns true if a value is a canonical error code. */
export function isCanonicalCode(text: unknown): text is CanonicalCode {
  return typeof text === "string" && Object.hasOwn(CODES, text);
}

/**
 * Returns the canonical code for an HTTP response that has none, such as an error page of a gateway. Uses the mapping
 * in gRPC's `http-grpc-status-mapping.md`.
 */
export function codeOfHttpStatus(status: number): CanonicalCode {
  switch (status) {
    case 400:
      return "INTERNAL";
    case 401:
      return "UNAUTHENTICATED";
    case 403:
      return "PERMISSION_DENIED";
    case 404:
      return "UNIMPLEMENTED";
    case 429:
    case 502:
    case 503:
    case 504:
      return "UNAVAILABLE";
    default:
      return "UNKNOWN";
  }
}
