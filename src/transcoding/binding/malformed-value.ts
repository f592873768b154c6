import type { DescEnum, DescField, DescMessage, JsonValue } from "@bufbuild/protobuf";
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
 * Finds a message in ProtoJSON that is not an object, or an invalid enum value, duration or time. The parser does not
 * report their position, and accepts durations with trailing text.
 *
 * @param desc type of the value.
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
  const { message, enum: values, fieldKind } = desc;
  if (values !== undefined && fieldKind === "enum") return inEnum(values, json, path);
  if (message === undefined) return undefined;
  if (fieldKind === "message") return inMessage(message, json, path, depth);
  if (typeof json !== "object" || json === null) return undefined;
  if (Array.isArray(json) !== (fieldKind === "list")) return undefined;
  // The field is a list or map of messages.
  for (const [key, item] of Object.entries(json)) {
    const found = findMalformedValue(message, item, `${path}[${key}]`, depth);
    if (found !== undefined) return found;
  }
  return undefined;
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
  // Well-known types may have special JSON forms.
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
