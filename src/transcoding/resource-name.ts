import type { DescField, DescMessage, DescMethod, Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { ApiError } from "../api/api-error.js";
import { ResourceName } from "../api/service.js";
import { decodeSegments } from "../http/request-target.js";
import { MAX_TARGET_BYTES } from "../limits/request-limits.js";
import { MALFORMED_ESCAPE } from "./binding/parameter-binder.js";
import { httpBindings } from "./http-rule.js";
import { captured, type PathTemplate, type TemplateSegment, type TemplateVariable } from "./path-template.js";

/** An id in a path variable. */
interface IdPosition {
  readonly collection: string;
  /** Segment index within the variable. */
  readonly index: number;
}

/** Finds the ids in a variable: each `*` after a collection name. */
function idPositions({ segments }: PathTemplate, { start, end }: TemplateVariable): IdPosition[] {
  const own = segments.slice(start, end);
  return own.flatMap(({ kind }, index) => {
    const before = own[index - 1];
    return kind === "one" && before?.kind === "literal" ? [{ collection: before.text, index }] : [];
  });
}

/**
 * Creates a function that reads the resource name in a request path.
 *
 * @returns the function; it throws an ApiError `MALFORMED_PATH` if an id is not percent-encoded UTF-8.
 */
export function pathNameReader(
  template: PathTemplate,
): (captures: ReadonlyMap<string, string>) => ResourceName {
  const variables = template.variables.map((variable) => ({
    fieldPath: variable.fieldPath,
    ids: idPositions(template, variable),
  }));
  return (captures) => {
    const ids: [string, string][] = [];
    for (const { fieldPath, ids: positions } of variables) {
      if (positions.length === 0) continue;
      const parts = captured(captures, fieldPath).split("/");
      for (const { collection, index } of positions) {
        const id = decodeSegments(parts[index] ?? "");
        if (id === undefined) throw ApiError.invalidArgument("MALFORMED_PATH", fieldPath, MALFORMED_ESCAPE);
        ids.push([collection, id]);
      }
    }
    return new ResourceName(ids);
  };
}

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
    ids: idPositions(template, variable),
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
