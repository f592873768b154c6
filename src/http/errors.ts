import { create, type DescMessage, type JsonObject, type Message, toJson } from "@bufbuild/protobuf";
import { ApiError } from "../api/api-error.js";
import { Code } from "../gen/google/rpc/code_pb.js";
import { BadRequestSchema, ErrorInfoSchema } from "../gen/google/rpc/error_details_pb.js";
import { excerpt } from "../limits/excerpt.js";

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

/** The request is not valid HTTP (400). */
export const malformedRequest = (detail: string, cause?: unknown): ApiError =>
  new ApiError({
    code: Code.INVALID_ARGUMENT,
    reason: "MALFORMED_REQUEST",
    message: `The request is not valid HTTP: ${detail}.`,
    metadata: { detail },
    cause,
  });

/** The HTTP method is unknown (501). */
export const methodNotImplemented = (cause: unknown): ApiError =>
  new ApiError({
    code: Code.UNIMPLEMENTED,
    reason: "METHOD_NOT_IMPLEMENTED",
    message: "The HTTP method is unknown. Check its spelling; methods are in upper case.",
    httpStatus: 501,
    cause,
  });

/** The body has a transfer coding other than `chunked` (501). */
export const transferCodingNotImplemented = (coding?: string, cause?: unknown): ApiError =>
  new ApiError({
    code: Code.UNIMPLEMENTED,
    reason: "TRANSFER_CODING_NOT_IMPLEMENTED",
    message: "The only supported Transfer-Encoding is chunked. To compress the body, use Content-Encoding.",
    metadata: coding === undefined ? {} : { transferEncoding: excerpt(coding) },
    httpStatus: 501,
    cause,
  });

/** The request has an `Expect` other than `100-continue` (417). */
export const expectationFailed = (expect: string): ApiError =>
  new ApiError({
    code: Code.INVALID_ARGUMENT,
    reason: "EXPECTATION_FAILED",
    message: `The expectation ${excerpt(expect)} is not supported. Omit the Expect header.`,
    metadata: { expect: excerpt(expect) },
    httpStatus: 417,
  });

/** The request target is longer than the server accepts (414). */
export const uriTooLong = (limit: number): ApiError =>
  new ApiError({
    code: Code.INVALID_ARGUMENT,
    reason: "URI_TOO_LONG",
    message: `The URL is longer than ${limit} bytes. Shorten it.`,
    metadata: { limitBytes: String(limit) },
    httpStatus: 414,
  });

/** The header section is larger than the server accepts (431). */
export const headersTooLarge = (limit: number): ApiError =>
  new ApiError({
    code: Code.INVALID_ARGUMENT,
    reason: "HEADERS_TOO_LARGE",
    message: `The request headers are larger than ${limit} bytes. Send fewer or shorter headers.`,
    metadata: { limitBytes: String(limit) },
    httpStatus: 431,
  });

/** No route has this path (404). */
export const routeNotFound = (path: string): ApiError =>
  new ApiError({
    code: Code.NOT_FOUND,
    reason: "ROUTE_NOT_FOUND",
    message: `No resource has the path ${excerpt(path)}. Check it, and the service address, against the API reference.`,
    metadata: { path: excerpt(path) },
  });

/** The path exists, but its routes do not accept the HTTP method (405). */
export const methodNotAllowed = (method: string, path: string, allowed: readonly string[]): ApiError =>
  new ApiError({
    code: Code.UNIMPLEMENTED,
    reason: "METHOD_NOT_ALLOWED",
    message: `${excerpt(method)} is not allowed for ${excerpt(path)}. Use ${allowed.join(" or ")}.`,
    metadata: { method: excerpt(method), path: excerpt(path), allowed: allowed.join(", ") },
    httpStatus: 405,
    headers: { allow: allowed.join(", ") },
  });
