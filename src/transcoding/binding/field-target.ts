import type { DescField, DescMessage, JsonObject, JsonValue } from "@bufbuild/protobuf";
import { type ValueParser, valueParserOf } from "./parameter-value.js";

export interface FieldTarget {
  /** Path in proto names, such as `author.display_name`, for either spelling by the caller. */
  readonly path: string;
  readonly repeated: boolean;
  readonly parse: ValueParser;
  /** JSON names from the request message to the field. */
  readonly jsonPath: readonly string[];
  /** The oneof members that the path goes through. */
  readonly choices: readonly OneofChoice[];
}

/** A member of a oneof that a path sets. */
export interface OneofChoice {
  /** Path of the oneof in proto names. */
  readonly oneof: string;
  readonly member: string;
}

/** Maximum nesting of messages. The ProtoJSON parser has the same limit. */
export const MAX_DEPTH = 100;

/**
 * Finds the field for a dotted name. Each part is a JSON name or a proto name.
 *
 * @returns `undefined` for an unknown field; the reason if the field cannot be a parameter.
 */
export function findFieldTarget(request: DescMessage, name: string): FieldTarget | string | undefined {
  const parts = name.split(".");
  if (parts.length > MAX_DEPTH) return undefined;
  const path: string[] = [];
  const jsonPath: string[] = [];
  const choices: OneofChoice[] = [];
  let message: DescMessage | undefined = request;
  let field: DescField | undefined;
  for (const part of parts) {
    field = message?.fields.find((candidate) => candidate.jsonName === part || candidate.name === part);
    if (field === undefined) return undefined;
    if (field.oneof !== undefined) {
      choices.push({ oneof: [...path, field.oneof.name].join("."), member: field.name });
    }
    path.push(field.name);
    jsonPath.push(field.jsonName);
    // Fields below lists, maps and messages with a string form cannot be set by parameters.
    message = field.fieldKind === "message" && valueParserOf(field) === undefined ? field.message : undefined;
  }
  const parse = field && valueParserOf(field);
  if (field === undefined || parse === undefined)
    return "cannot be set by one parameter; set its fields, such as NAME.FIELD";
  return { path: path.join("."), repeated: field.fieldKind === "list", parse, jsonPath, choices };
}

/** Sets a field in a request's ProtoJSON, or appends to it if it is repeated. */
export function assign(request: JsonObject, target: FieldTarget, value: JsonValue): void {
  let object = request;
  const last = target.jsonPath.length - 1;
  for (const [at, name] of target.jsonPath.entries()) {
    if (at < last) {
      object[name] ??= {};
      object = object[name] as JsonObject;
    } else if (target.repeated) {
      object[name] ??= [];
      (object[name] as JsonValue[]).push(value);
    } else {
      object[name] = value;
    }
  }
}
