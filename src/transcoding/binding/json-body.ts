import {
  type DescField,
  type DescMessage,
  fromJsonString,
  type JsonValue,
  type MessageShape,
} from "@bufbuild/protobuf";
import { isFieldError } from "@bufbuild/protobuf/reflect";
import { ApiError } from "../../api/api-error.js";
import { unsupportedMediaType } from "../../api/errors.js";
import { excerpt } from "../../limits/excerpt.js";
import { findMalformedValue } from "./malformed-value.js";

const UTF_8 = new TextDecoder("utf-8", { fatal: true });

const JSON_TYPE = /^\s*application\/json\s*(?:;|$)/i;
const OTHER_CHARSET = /;\s*charset\s*=(?!\s*(?:utf-8|"utf-8")\s*(?:;|$))/i;

/** Ignores other parameters than `charset` (RFC 8259 §11). @throws ApiError 415 unless the header declares JSON in UTF-8. */
export function expectJsonType(contentType: string | undefined): void {
  if (contentType === undefined || !JSON_TYPE.test(contentType) || OTHER_CHARSET.test(contentType)) {
    throw unsupportedMediaType(contentType, "application/json");
  }
}

/** Parses a JSON body. @throws ApiError `INVALID_ARGUMENT` if it is not JSON in UTF-8. */
export function parseJson(body: Uint8Array): { readonly text: string; readonly json: JsonValue } {
  try {
    const text = UTF_8.decode(body);
    return { text, json: JSON.parse(text) };
  } catch (cause) {
    throw ApiError.invalidArgument(
      "MALFORMED_JSON",
      "body",
      `is not JSON in UTF-8: ${excerpt((cause as Error).message)}`,
    );
  }
}

/**
 * Returns a ProtoJSON value as text, in which {@link findMalformedValue} finds nothing.
 *
 * @param desc type of the value.
 * @throws ApiError `INVALID_ARGUMENT` with the error position in the value.
 */
export function checkedJson(desc: DescMessage | DescField, body: Uint8Array): string {
  const { text, json } = parseJson(body);
  const malformed = findMalformedValue(desc, json);
  if (malformed === undefined) return text;
  throw ApiError.invalidArgument("INVALID_BODY", malformed.field, malformed.expected);
}

/**
 * Parses a ProtoJSON body into a request. Unknown and repeated keys are errors.
 *
 * @param field request field that the body sets; `*` if the body is the whole request.
 * @throws ApiError `INVALID_ARGUMENT` with the error position in the body.
 */
export function parseJsonBody<M extends DescMessage>(
  request: M,
  field: DescField | "*",
  body: Buffer,
): MessageShape<M> {
  const text = checkedJson(field === "*" ? request : field, body);
  try {
    return fromJsonString(request, field === "*" ? text : `{${JSON.stringify(field.jsonName)}:${text}}`);
  } catch (cause) {
    throw invalidBody(cause as Error);
  }
}

function invalidBody(error: Error): ApiError {
  const field = isFieldError(error.cause) ? error.cause.field() : undefined;
  const name = field === undefined ? "body" : field.kind === "oneof" ? field.name : field.jsonName;
  // The library's messages begin with the full type name.
  const description = error.message.replace(/^cannot decode .+? from JSON:? /, "");
  return ApiError.invalidArgument("INVALID_BODY", name, excerpt(description));
}
