import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type JsonValue,
  ScalarType,
} from "@bufbuild/protobuf";
import { MAX_DEPTH } from "./field-target.js";
import { expectedValueOf, timeParserOf } from "./parameter-value.js";

/** A field of a body with an invalid value. */
export interface MalformedValue {
  /** Field path as the caller wrote it. */
  readonly field: string;
  /** Description of a valid value. */
  readonly expected: string;
}

/**
 * Finds a value in ProtoJSON that has another type than its field, or is an invalid enum value, duration or time. The
 * parser does not report their position, describes types of its language, and accepts durations with trailing text and
 * days that do not exist.
 *
 * @param path position of the value; empty for the whole body.
 */
export function findMalformedValue(
  desc: DescMessage | DescField,
  json: JsonValue,
  path = "",
  depth = 0,
): MalformedValue | undefined {
  if (depth > MAX_DEPTH || (json === null && path !== "")) return undefined;
  if (desc.kind === "message") return inMessage(desc, json, path, depth);
  const { message, enum: values, scalar, fieldKind } = desc;
  if (values !== undefined && fieldKind === "enum") return inEnum(values, json, path);
  if (fieldKind === "scalar") return inScalar(desc.scalar, json, path);
  if (fieldKind === "message") return inMessage(desc.message, json, path, depth);
  if (fieldKind === "list" && !Array.isArray(json))
    return { field: path || "body", expected: "must be a list" };
  if (typeof json !== "object" || json === null || Array.isArray(json) !== (fieldKind === "list"))
    return undefined;
  for (const [key, item] of Object.entries(json)) {
    const at = `${path}[${key}]`;
    if (message !== undefined) {
      const found = findMalformedValue(message, item, at, depth);
      if (found !== undefined) return found;
    } else if (scalar !== undefined && item !== null) {
      const found = inScalar(scalar, item, at);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Checks the type only. The parser checks numbers and base64. */
function inScalar(scalar: ScalarType, json: JsonValue, path: string): MalformedValue | undefined {
  const expected = expectedTypeOf(scalar, json);
  return expected === undefined ? undefined : { field: path || "body", expected };
}

function expectedTypeOf(scalar: ScalarType, json: JsonValue): string | undefined {
  switch (scalar) {
    case ScalarType.STRING:
      if (typeof json !== "string") return "must be a string";
      return /\p{Surrogate}/u.test(json) ? "must be valid Unicode" : undefined;
    case ScalarType.BOOL:
      return typeof json === "boolean" ? undefined : "must be true or false";
    case ScalarType.BYTES:
      return typeof json === "string" ? undefined : "must be a string in base64 or base64url";
    default:
      return typeof json === "number" || typeof json === "string" ? undefined : "must be a number";
  }
}

function inEnum(desc: DescEnum, json: JsonValue, path: string): MalformedValue | undefined {
  const isValue = typeof json === "number" || desc.values.some(({ name }) => name === json);
  return isValue ? undefined : { field: path || "body", expected: expectedValueOf(desc) };
}

function inMessage(
  message: DescMessage,
  json: JsonValue,
  path: string,
  depth: number,
): MalformedValue | undefined {
  const parse = timeParserOf(message);
  if (parse !== undefined) {
    try {
      parse(typeof json === "string" ? json : "");
      return undefined;
    } catch (error) {
      return { field: path || "body", expected: (error as Error).message };
    }
  }
  if (message.typeName === "google.protobuf.FieldMask" && typeof json !== "string")
    return { field: path || "body", expected: "must be a string of field names, separated by commas" };
  // Other well-known types may have special JSON forms.
  if (message.typeName.startsWith("google.protobuf.")) return undefined;
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    return { field: path || "body", expected: "must be a JSON object" };
  }
  for (const [key, value] of Object.entries(json)) {
    const field = message.fields.find(({ jsonName, name }) => jsonName === key || name === key);
    const found = field && findMalformedValue(field, value, path === "" ? key : `${path}.${key}`, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
