import type { DescField, DescMessage, DescMethod, Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { ApiError } from "../api/api-error.js";
import { ResourceName } from "../api/service.js";
import { MAX_TARGET_BYTES } from "../limits/request-limits.js";
import { httpBindings } from "./http-rule.js";
import type { TemplateSegment } from "./path-template.js";

/**
 * Creates a function that reads the resource name in a request message, for calls without a path. The fields must match
 * the path template of the method's first HTTP binding.
 *
 * @returns the function; it throws an ApiError `INVALID_RESOURCE_NAME` with the field that does not match.
 */
export function messageNameReader(method: DescMethod): (request: Message) => ResourceName {
  const template = httpBindings(method)[0]?.template;
  if (template === undefined) return () => new ResourceName([]);
  const readers = template.variables.map((variable) => ({
    fields: fieldsOf(method.input, variable.fieldPath),
    segments: template.segments.slice(variable.start, variable.end),
    ids: variable.ids,
  }));
  return (request) => {
    const ids: [string, string][] = [];
    for (const { fields, segments, ids: positions } of readers) {
      const parts = matchedParts(textOf(method.input, request, fields), segments);
      if (parts === undefined) {
        const jsonPath = fields.map(({ jsonName }) => jsonName).join(".");
        const description = `it must have the form ${patternOf(segments)}`;
        throw ApiError.invalidArgument("INVALID_RESOURCE_NAME", jsonPath, description);
      }
      for (const { collection, index } of positions) ids.push([collection, parts[index] ?? ""]);
    }
    return new ResourceName(ids);
  };
}

function fieldsOf(message: DescMessage, fieldPath: string): DescField[] {
  const fields: DescField[] = [];
  let inside: DescMessage | undefined = message;
  for (const name of fieldPath.split(".")) {
    const field: DescField | undefined = inside?.fields.find((candidate) => candidate.name === name);
    if (field === undefined) throw new Error(`${message.typeName} has no field ${fieldPath}`);
    fields.push(field);
    inside = field.message;
  }
  return fields;
}

const patternOf = (segments: readonly TemplateSegment[]): string =>
  segments
    .map((segment) => (segment.kind === "literal" ? segment.text : segment.kind === "one" ? "*" : "**"))
    .join("/");

function textOf(desc: DescMessage, request: Message, fields: readonly DescField[]): string {
  let message = reflect(desc, request);
  for (const field of fields.slice(0, -1)) {
    if (field.fieldKind !== "message") throw new Error(`${field} is not a message`);
    message = message.get(field);
  }
  const last = fields.at(-1);
  return last === undefined ? "" : String(message.get(last));
}

/** Splits a string. Returns `undefined` if it does not match the segments, or if a URL cannot contain it. */
function matchedParts(text: string, segments: readonly TemplateSegment[]): string[] | undefined {
  // A lone surrogate has no UTF-8 encoding.
  if (text.length > MAX_TARGET_BYTES || /\p{Surrogate}/u.test(text)) return undefined;
  const parts = text === "" ? [] : text.split("/");
  const open = segments.at(-1)?.kind === "rest";
  if (open ? parts.length < segments.length - 1 : parts.length !== segments.length) return undefined;
  const matches = parts.every((part, at) => {
    const segment = segments[at];
    return part !== "" && (segment?.kind !== "literal" || segment.text === part);
  });
  return matches ? parts : undefined;
}
