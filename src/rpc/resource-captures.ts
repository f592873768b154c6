import type { DescField, DescMessage, DescMethod, Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { ApiError } from "../api/api-error.js";
import { MAX_TARGET_BYTES } from "../limits/limits.js";
import { httpBindings } from "../transcoding/http-rule.js";
import type { PathTemplate, TemplateSegment } from "../transcoding/path-template.js";

/** Reads the resource names of a request as a path would capture them. */
export type ReadCaptures = (request: Message) => ReadonlyMap<string, string>;

/**
 * Creates a reader of the values that a method's path would capture: calls without a path are authorized by
 * the same names. Each name must match the path template of the method's first HTTP binding, and is
 * percent-encoded as in a path.
 *
 * @returns throws an ApiError `INVALID_ARGUMENT` with the field that does not match.
 */
export function capturesReader(method: DescMethod): ReadCaptures {
  const template = httpBindings(method)[0]?.template;
  if (template === undefined) return () => new Map();
  const readers = template.variables.map(({ fieldPath, start, end }) => ({
    fieldPath,
    fields: fieldsOf(method.input, fieldPath),
    segments: template.segments.slice(start, end),
    pattern: patternOf(template, start, end),
  }));
  return (request) => {
    const captures = new Map<string, string>();
    for (const { fieldPath, fields, segments, pattern } of readers) {
      const raw = encode(textOf(method.input, request, fields), segments);
      if (raw === undefined) {
        const jsonPath = fields.map(({ jsonName }) => jsonName).join(".");
        throw ApiError.invalidArgument("INVALID_RESOURCE_NAME", jsonPath, `it must have the form ${pattern}`);
      }
      captures.set(fieldPath, raw);
    }
    return captures;
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

function patternOf({ segments }: PathTemplate, start: number, end: number): string {
  return segments
    .slice(start, end)
    .map((segment) => (segment.kind === "literal" ? segment.text : segment.kind === "one" ? "*" : "**"))
    .join("/");
}

function textOf(desc: DescMessage, request: Message, fields: readonly DescField[]): string {
  let message = reflect(desc, request);
  for (const field of fields.slice(0, -1)) {
    if (field.fieldKind !== "message") throw new Error(`${field} is no message`);
    message = message.get(field);
  }
  const last = fields.at(-1);
  return last === undefined ? "" : String(message.get(last));
}

/**
 * Encodes a text as in a path; returns `undefined` if it does not match the segments or is longer than a URL
 * may be.
 */
function encode(text: string, segments: readonly TemplateSegment[]): string | undefined {
  if (text.length > MAX_TARGET_BYTES) return undefined;
  const parts = text === "" ? [] : text.split("/");
  const open = segments.at(-1)?.kind === "rest";
  if (open ? parts.length < segments.length - 1 : parts.length !== segments.length) return undefined;
  const matches = parts.every((part, at) => {
    const segment = segments[at];
    return part !== "" && (segment?.kind !== "literal" || segment.text === part);
  });
  try {
    return matches ? parts.map(encodeURIComponent).join("/") : undefined;
  } catch {
    // A lone surrogate has no UTF-8 encoding.
    return undefined;
  }
}
