import { type Code, ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema } from "../gen/google/rpc/error_details_pb.js";
import type { ApiError, FieldViolation } from "../transcoding/api-error.js";

type OutgoingDetails = NonNullable<ConstructorParameters<typeof ConnectError>[3]>;

/** Most bytes of violations: gRPC sends them in a header, of which many clients take 8 KiB with all others. */
const LARGEST_VIOLATIONS = 4 * 1024;

/** Bytes around each. */
const VIOLATION_OVERHEAD = 8;

/**
 * What a caller by gRPC, gRPC-Web or Connect is told: the same as by HTTP/JSON, headers as metadata (AIP-193); of many
 * violations the first.
 */
export function connectError(error: ApiError, domain: string): ConnectError {
  const { code, message, headers, reason, metadata, violations } = error;
  const details: OutgoingDetails = [
    { desc: ErrorInfoSchema, value: { reason, domain, metadata: { ...metadata } } },
  ];
  if (violations.length > 0) {
    details.push({ desc: BadRequestSchema, value: { fieldViolations: firstOf(violations) } });
  }
  // The codes of Connect are those of google.rpc.Code, without OK.
  return new ConnectError(wellFormed(message), code as number as Code, new Headers(headers), details);
}

function firstOf(violations: readonly FieldViolation[]): FieldViolation[] {
  let room = LARGEST_VIOLATIONS;
  return violations.filter(({ field, description }) => {
    room -= Buffer.byteLength(field) + Buffer.byteLength(description) + VIOLATION_OVERHEAD;
    return room >= 0;
  });
}

/** The text without lone surrogates, of which no header can be made. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
