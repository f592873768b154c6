import type { DescField, DescMessage, JsonValue } from "@bufbuild/protobuf";
import { timeParserOf } from "./parameter-value.js";

/** A field of a body that is not what its type takes. */
export interface MalformedValue {
  /** Its path, as the caller wrote it. */
  readonly field: string;
  /** What would be right. */
  readonly expected: string;
}

/** So deep are messages nested at most, as the ProtoJSON parser has it. */
const DEEPEST = 100;

/**
 * Finds a message in ProtoJSON that is no object, or a duration or a time that is none. The parser does not say where such a
 * value stands, and takes durations with more behind them.
 *
 * @param desc what the JSON is the value of.
 * @param path where the value stands; empty if it is the whole.
 */
export function findMalformedValue(
  desc: DescMessage | DescField,
  json: JsonValue,
  path = "",
  depth = 0,
): MalformedValue | undefined {
  if (depth > DEEPEST || (json === null && path !== "")) return undefined;
  if (desc.kind === "message") return inMessage(desc, json, path, depth);
  const { message, fieldKind } = desc;
  if (message === undefined) return undefined;
  if (fieldKind === "message") return inMessage(message, json, path, depth);
  if (typeof json !== "object" || json === null) return undefined;
  if (Array.isArray(json) !== (fieldKind === "list")) return undefined;
  // A list, or a map whose values are messages.
  for (const [key, item] of Object.entries(json)) {
    const found = findMalformedValue(message, item, `${path}[${key}]`, depth);
    if (found !== undefined) return found;
  }
  return undefined;
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
    } catch (problem) {
      return { field: path || "body", expected: (problem as Error).message };
    }
  }
  // Well-known types may have forms of their own.
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
