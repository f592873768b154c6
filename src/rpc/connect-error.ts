import { type Code, ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema } from "../gen/google/rpc/error_details_pb.js";
import type { ApiError } from "../transcoding/api-error.js";

type OutgoingDetails = NonNullable<ConstructorParameters<typeof ConnectError>[3]>;

/** What a caller by gRPC, gRPC-Web or Connect is told: the same as by HTTP/JSON, headers as metadata (AIP-193). */
export function connectError(error: ApiError, domain: string): ConnectError {
  const { code, message, headers, reason, metadata, violations } = error;
  const details: OutgoingDetails = [
    { desc: ErrorInfoSchema, value: { reason, domain, metadata: { ...metadata } } },
  ];
  if (violations.length > 0) {
    const fieldViolations = violations.map(({ field, description }) => ({ field, description }));
    details.push({ desc: BadRequestSchema, value: { fieldViolations } });
  }
  // The codes of Connect are those of google.rpc.Code, without OK.
  return new ConnectError(message, code as number as Code, new Headers(headers), details);
}
