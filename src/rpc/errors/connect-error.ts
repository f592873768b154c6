import { type Code, ConnectError } from "@connectrpc/connect";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import type { ApiError, FieldViolation } from "../../api/api-error.js";
import { BadRequestSchema, ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.js";
import { excerpt } from "../../limits/excerpt.js";
import { MAX_ERROR_HEADER_BYTES } from "../../limits/request-limits.js";

type OutgoingDetails = NonNullable<ConstructorParameters<typeof ConnectError>[3]>;

/**
 * Maximum sizes of an error's parts, in bytes. gRPC sends the message twice: percent-encoded in one header, and as
 * base64 together with the other parts in another header. Both headers together fit into
 * {@link MAX_ERROR_HEADER_BYTES}.
 */
const ROOM = {
  message: MAX_ERROR_HEADER_BYTES / 8,
  metadata: (MAX_ERROR_HEADER_BYTES * 3) / 32,
  violations: (MAX_ERROR_HEADER_BYTES * 3) / 8,
} as const;

/** Number of bytes that encoding adds to a violation. */
const VIOLATION_OVERHEAD = 8;

/**
 * Converts an error for gRPC, gRPC-Web or Connect. The content is the same as in HTTP/JSON, with headers as metadata
 * (AIP-193), but shortened to fit into headers.
 */
export function connectError(error: ApiError, domain: string): ConnectError {
  const { code, message, headers, reason, metadata, violations } = error;
  const details: OutgoingDetails = [
    { desc: ErrorInfoSchema, value: { reason, domain, metadata: boundedMetadata(metadata) } },
  ];
  if (violations.length > 0) {
    details.push({ desc: BadRequestSchema, value: { fieldViolations: firstOf(violations) } });
  }
  const text = within(ROOM.message, wellFormed(message), (part) => grpcMessage(part).length);
  // Connect has the same codes as `google.rpc.Code`, without `OK`.
  return new ConnectError(text, code as number as Code, new Headers(headers), details);
}

function boundedMetadata(metadata: Readonly<Record<string, string>>): Record<string, string> {
  let room = ROOM.metadata;
  const bounded: Record<string, string> = {};
  for (const [name, value] of Object.entries(metadata)) {
    const text = within(Math.max(0, room - name.length), wellFormed(value), Buffer.byteLength);
    room -= name.length + Buffer.byteLength(text);
    bounded[name] = text;
  }
  return bounded;
}

function firstOf(violations: readonly FieldViolation[]): FieldViolation[] {
  let room = ROOM.violations;
  return violations.filter(({ field, description }) => {
    room -= Buffer.byteLength(field) + Buffer.byteLength(description) + VIOLATION_OVERHEAD;
    return room >= 0;
  });
}

/** Returns the longest excerpt of a string that needs at most `room` bytes. */
function within(room: number, text: string, sizeOf: (text: string) => number): string {
  if (sizeOf(text) <= room) return text;
  let [fits, tooLong] = [0, text.length];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (sizeOf(excerpt(text, middle)) <= room) fits = middle;
    else tooLong = middle;
  }
  return fits === 0 ? "" : excerpt(text, fits);
}

/** Replaces lone surrogates, because headers cannot contain them. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

export function grpcStatus(error: ConnectError): Headers {
  const status = setTrailerStatus(new Headers(), error);
  status.set("grpc-message", grpcMessage(error.rawMessage));
  return status;
}

/**
 * Encodes a well-formed string for gRPC (PROTOCOL-HTTP2, Percent-Byte-Encoded). Encodes only the bytes that must be
 * encoded. Connect encodes more, such as colons, which some clients do not decode.
 */
export function grpcMessage(text: string): string {
  return text.replace(/[^\x20-\x24\x26-\x7e]+/gu, encodeURIComponent);
}
