import { create, type DescMessage, type JsonObject, type Message, toJson } from "@bufbuild/protobuf";
import type { ApiError } from "../api/api-error.js";
import { Code } from "../gen/google/rpc/code_pb.js";
import { BadRequestSchema, ErrorInfoSchema } from "../gen/google/rpc/error_details_pb.js";

/** The JSON of a failure as AIP-193 has it: an `ErrorInfo` first, then a `BadRequest` if fields are wrong. */
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
