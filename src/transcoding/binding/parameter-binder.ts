import type { DescField, DescMessage, JsonObject } from "@bufbuild/protobuf";
import { ApiError, ParameterViolations } from "../../api/api-error.js";
import { ResourceName } from "../../api/service.js";
import { decodeSegment, decodeSegments, parseQuery } from "../../http/request-target.js";
import { captured, type TemplateVariable } from "../path-template.js";
import { assign, type FieldTarget, findFieldTarget } from "./field-target.js";
import { readSystemParameter, type SystemParameters } from "./system-parameters.js";

/** Request field that the body sets; `*` for all fields that the path does not bind. */
export type BodyBinding = DescField | "*" | undefined;

export interface BoundPath {
  /** The resource name in the path. */
  readonly resource: ResourceName;
  /** ProtoJSON of the request fields in the path. */
  readonly request: JsonObject;
  /** Invalid variables. */
  readonly violations: ParameterViolations;
}

/** The path and query parameters of one request. */
export interface BoundParameters {
  /** ProtoJSON of the request fields in path and query. */
  readonly request: JsonObject;
  readonly system: SystemParameters;
}

/** Problem of a value that cannot be decoded. */
const MALFORMED_ESCAPE = "has a malformed percent-escape or is not UTF-8";

const NO_SYSTEM_PARAMETERS: SystemParameters = Object.freeze({});

/** Binds path variables and query parameters to request fields, for one HTTP binding of a method. */
export class ParameterBinder {
  readonly #request: DescMessage;
  readonly #body: BodyBinding;
  readonly #variables: readonly (TemplateVariable & { readonly target: FieldTarget })[];
  /** Targets by name as callers write it. Only top-level fields are cached, which limits the size. */
  readonly #targets = new Map<string, FieldTarget | string>();

  /** @throws Error if a variable names an unknown field, or one that a path cannot bind. */
  constructor(request: DescMessage, variables: readonly TemplateVariable[], body: BodyBinding) {
    this.#request = request;
    this.#body = body;
    this.#variables = variables.map((variable) => {
      const target = findFieldTarget(request, variable.fieldPath);
      if (target === undefined || typeof target === "string" || target.repeated) {
        throw new Error(`${variable.fieldPath} of ${request.typeName} is not a field that a path can bind`);
      }
      return { ...variable, target };
    });
    for (const field of request.fields) {
      for (const name of [field.name, field.jsonName]) this.#targetOf(name);
    }
  }

  /**
   * Binds the path variables.
   *
   * @param captures raw text of the path variables.
   * @returns the path. {@link bind} reports its invalid variables, because access is checked before. A malformed id in the
   *   resource name is an error `MALFORMED_PATH` when it is read.
   */
  bindPath(captures: ReadonlyMap<string, string>): BoundPath {
    const names: [string, string | ApiError][] = [];
    const request: JsonObject = {};
    const violations = new ParameterViolations();
    for (const { fieldPath, single, ids, target } of this.#variables) {
      const raw = captured(captures, fieldPath);
      const text = single ? decodeSegment(raw) : decodeSegments(raw);
      // Slashes within ids stay encoded, so that decoded text has the same segments.
      const parts = ids.length === 0 ? [] : (text ?? raw).split("/");
      for (const { collection, index } of ids) {
        const part = parts[index] ?? "";
        const id = text === undefined ? decodeSegments(part) : part;
        names.push([
          collection,
          id ?? ApiError.invalidArgument("MALFORMED_PATH", fieldPath, MALFORMED_ESCAPE),
        ]);
      }
      if (text === undefined) violations.add("MALFORMED_PATH", fieldPath, MALFORMED_ESCAPE);
      else assignText(request, target, text, fieldPath, violations);
    }
    return { resource: new ResourceName(names), request, violations };
  }

  /**
   * Adds the query to the fields that the path sets.
   *
   * @param query raw query; empty if the path has no query.
   * @throws ApiError `INVALID_ARGUMENT` that names every invalid parameter.
   */
  bind({ request, violations }: BoundPath, query: string): BoundParameters {
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
        violations.add("UNKNOWN_PARAMETER", "query", "has a value without a parameter name");
        continue;
      }
      if (value === undefined) {
        violations.add("MALFORMED_QUERY", name, MALFORMED_ESCAPE);
        continue;
      }
      const target = this.#targetOf(name);
      if (target === undefined) {
        if (!readSystemParameter(name, value, system, seen, violations)) {
          violations.add("UNKNOWN_PARAMETER", name, "is not a parameter of this method");
        }
      } else if (typeof target === "string") {
        violations.add("INVALID_PARAMETER", name, target);
      } else if (!target.repeated && seen.has(target.path)) {
        violations.add("DUPLICATE_PARAMETER", name, "must not be repeated");
      } else {
        seen.add(target.path);
        const rival = rivalOf(target, members);
        if (rival === undefined) assignText(request, target, value, name, violations);
        else violations.add("CONFLICTING_PARAMETER", name, `cannot be set together with ${rival}`);
      }
    }
    return system;
  }

  /** Like {@link findFieldTarget}, but rejects fields that the path or the body binds. */
  #targetOf(name: string): FieldTarget | string | undefined {
    const known = this.#targets.get(name);
    if (known !== undefined) return known;
    if (this.#body === "*") return undefined;
    const target = findFieldTarget(this.#request, name);
    if (target === undefined) return undefined;
    const bound = typeof target === "string" ? target : (this.#rejectionOf(target.path) ?? target);
    if (!name.includes(".")) this.#targets.set(name, bound);
    return bound;
  }

  #rejectionOf(path: string): string | undefined {
    if (this.#variables.some((variable) => variable.target.path === path))
      return "is already set by the path";
    const body = this.#body;
    if (typeof body === "object" && (path === body.name || path.startsWith(`${body.name}.`))) {
      return "must be in the body";
    }
    return undefined;
  }
}

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

/** Returns the earlier oneof member that excludes the target, if any. Records the target's own members. */
function rivalOf(target: FieldTarget, members: Map<string, string>): string | undefined {
  for (const { oneof, member } of target.choices) {
    const chosen = members.get(oneof);
    if (chosen !== undefined && chosen !== member) return chosen;
    members.set(oneof, member);
  }
  return undefined;
}
