import type { DescField, DescMessage, JsonObject } from "@bufbuild/protobuf";
import { ParameterViolations } from "../../api/api-error.js";
import { decodeSegment, decodeSegments, parseQuery } from "../../http/request-target.js";
import type { TemplateVariable } from "../path-template.js";
import { assign, type FieldTarget, findFieldTarget } from "./field-target.js";
import { readSystemParameter, type SystemParameters } from "./system-parameters.js";

/** The request field that the body is mapped to; `*` for all fields that the path does not bind. */
export type BodyBinding = DescField | "*" | undefined;

/** The parameters in the path and query of one request. */
export interface BoundParameters {
  /** ProtoJSON of the request message, with the fields from path and query. */
  readonly request: JsonObject;
  readonly system: SystemParameters;
}

const NO_SYSTEM_PARAMETERS: SystemParameters = Object.freeze({});

/**
 * Binds path variables and query parameters to the fields of a method's request, for one of its HTTP
 * bindings.
 */
export class ParameterBinder {
  readonly #request: DescMessage;
  readonly #body: BodyBinding;
  readonly #variables: readonly (TemplateVariable & { readonly target: FieldTarget })[];
  /**
   * Cache of targets, by the name that the caller wrote. Its size is limited to the spellings of top-level
   * fields.
   */
  readonly #targets = new Map<string, FieldTarget | string>();

  /** @throws Error if a variable names an unknown field, or a field that a path cannot bind. */
  constructor(request: DescMessage, variables: readonly TemplateVariable[], body: BodyBinding) {
    this.#request = request;
    this.#body = body;
    this.#variables = variables.map((variable) => {
      const target = findFieldTarget(request, variable.fieldPath);
      if (target === undefined || typeof target === "string" || target.repeated) {
        throw new Error(
          `${variable.fieldPath} of ${request.typeName} is no field that a path can be bound to`,
        );
      }
      return { ...variable, target };
    });
    for (const field of request.fields) {
      for (const name of [field.name, field.jsonName]) this.#targetOf(name);
    }
  }

  /**
   * @param captures raw text of the path variables.
   * @param query raw query; empty if the path has no query.
   * @throws ApiError `INVALID_ARGUMENT` that names every invalid parameter.
   */
  bind(captures: ReadonlyMap<string, string>, query: string): BoundParameters {
    const request: JsonObject = {};
    const violations = new ParameterViolations();
    for (const { fieldPath, single, target } of this.#variables) {
      const raw = captures.get(fieldPath) ?? "";
      const text = single ? decodeSegment(raw) : decodeSegments(raw);
      if (text === undefined) violations.add("MALFORMED_PATH", fieldPath, MALFORMED_ESCAPE);
      else assignText(request, target, text, fieldPath, violations);
    }
    const system = query === "" ? NO_SYSTEM_PARAMETERS : this.#bindQuery(query, request, violations);
    violations.throwIfAny();
    return { request, system };
  }

  #bindQuery(query: string, request: JsonObject, violations: ParameterViolations): SystemParameters {
    const system: SystemParameters = {};
    const seen = new Set<string>();
    const members = new Map<string, string>();
    for (const { target } of this.#variables) {
      for (const { oneof, member } of target.choices) members.set(oneof, member);
    }
    if (typeof this.#body === "object" && this.#body.oneof)
      members.set(this.#body.oneof.name, this.#body.name);
    for (const { name, value } of parseQuery(query)) {
      if (name === "") {
        violations.add("UNKNOWN_PARAMETER", "query", "has a value without a name");
        continue;
      }
      if (value === undefined) {
        violations.add("MALFORMED_QUERY", name, MALFORMED_ESCAPE);
        continue;
      }
      const target = this.#targetOf(name);
      if (target === undefined) {
        if (!readSystemParameter(name, value, system, seen, violations)) {
          violations.add("UNKNOWN_PARAMETER", name, "there is no such parameter");
        }
      } else if (typeof target === "string") {
        violations.add("INVALID_PARAMETER", name, target);
      } else if (!target.repeated && seen.has(target.path)) {
        violations.add("DUPLICATE_PARAMETER", name, "may be given once");
      } else {
        seen.add(target.path);
        const rival = rivalOf(target, members);
        if (rival === undefined) assignText(request, target, value, name, violations);
        else violations.add("CONFLICTING_PARAMETER", name, `cannot be given together with ${rival}`);
      }
    }
    return system;
  }

  /** Like {@link findFieldTarget}, but refuses fields that the path or the body binds. */
  #targetOf(name: string): FieldTarget | string | undefined {
    const known = this.#targets.get(name);
    if (known !== undefined) return known;
    if (this.#body === "*") return undefined;
    const target = findFieldTarget(this.#request, name);
    if (target === undefined) return undefined;
    const bound = typeof target === "string" ? target : (this.#refusalOf(target.path) ?? target);
    if (!name.includes(".")) this.#targets.set(name, bound);
    return bound;
  }

  #refusalOf(path: string): string | undefined {
    if (this.#variables.some((variable) => variable.target.path === path))
      return "is given by the path already";
    const body = this.#body;
    if (typeof body === "object" && (path === body.name || path.startsWith(`${body.name}.`))) {
      return "belongs in the body";
    }
    return undefined;
  }
}

/** Description of a text that cannot be decoded. */
export const MALFORMED_ESCAPE = "has a malformed percent-escape or is not UTF-8";

function assignText(
  request: JsonObject,
  target: FieldTarget,
  text: string,
  name: string,
  violations: ParameterViolations,
): void {
  try {
    assign(request, target, target.parse(text));
  } catch (error) {
    violations.add("INVALID_PARAMETER", name, (error as Error).message);
  }
}

/**
 * The member of a oneof that was chosen earlier and excludes the target. Records the target's own members.
 */
function rivalOf(target: FieldTarget, members: Map<string, string>): string | undefined {
  for (const { oneof, member } of target.choices) {
    const chosen = members.get(oneof);
    if (chosen !== undefined && chosen !== member) return chosen;
    members.set(oneof, member);
  }
  return undefined;
}
