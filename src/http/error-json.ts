import { create, type DescMessage, type JsonObject, type Message, toJson } from "@bufbuild/protobuf";
import type { ApiError } from "../api/api-error.js";
import { Code } from "../gen/google/rpc/code_pb.js";
import { BadRequestSchema, ErrorInfoSchema } from "../gen/google/rpc/error_details_pb.js";

/** Encodes an error as JSON (AIP-193): an `ErrorInfo`, then a `BadRequest` if there are violations. */
export function errorJson(error: ApiError, domain: string): Buffer {
  const { reason, metadata, violations } = error;
  const details = [detail(ErrorInfoSchema, create(ErrorInfoSchema, { reason, domain, metadata }))];
  if (violations.length > 0) {
    const fieldViolations = violations.map(({ field, description }) => ({ field, description }));
    details.push(detail(BadRequestSchema, create(BadRequestSchema, { fieldViolations })));
  }
  const { httpStatus: code, message } = error;
  return Buffer.from(JSON.stringify({ error: { code, message, status: Code[error.code], details } }));
}

const detail = (schema: DescMessage, message: Message): JsonObject => ({
  "@type": `type.googleapis.com/${schema.typeName}`,
  ...(toJson(schema, message) as JsonObject),
});
