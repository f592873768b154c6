import { type DescField, type DescMessage, type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import { http } from "../gen/google/api/annotations_pb.js";
import { FieldBehavior, field_behavior } from "../gen/google/api/field_behavior_pb.js";
import type { HttpRule } from "../gen/google/api/http_pb.js";
import type { BodyBinding } from "./binding/parameter-binder.js";
import { type PathTemplate, parsePathTemplate } from "./path-template.js";

export interface HttpBinding {
  /** HTTP method; `*` for all of them. */
  readonly httpMethod: string;
  readonly template: PathTemplate;
  readonly body: BodyBinding;
  /** Response field to send instead of the whole response. */
  readonly responseBody: DescField | undefined;
}

/**
 * Returns the HTTP bindings in a method's `google.api.http` annotation; empty without an annotation.
 *
 * @throws Error with the method name if the annotation is invalid.
 */
export function httpBindings(method: DescMethod): HttpBinding[] {
  if (!hasOption(method, http)) return [];
  const rule = getOption(method, http);
  try {
    if (rule.additionalBindings.some((nested) => nested.additionalBindings.length > 0)) {
      throw new Error("additional_bindings must not be nested");
    }
    return [rule, ...rule.additionalBindings].map((one) => httpBinding(method, one));
  } catch (cause) {
    throw new Error(
      `google.api.http of ${method.parent.typeName}.${method.name}: ${(cause as Error).message}`,
      {
        cause,
      },
    );
  }
}

function httpBinding({ input, output }: DescMethod, rule: HttpRule): HttpBinding {
  const { httpMethod, path } = patternOf(rule);
  return {
    httpMethod,
    template: parsePathTemplate(path),
    body: rule.body === "*" ? "*" : fieldNamed(input, rule.body),
    responseBody: fieldNamed(output, rule.responseBody),
  };
}

function patternOf({ pattern }: HttpRule): { httpMethod: string; path: string } {
  if (pattern.case === undefined) throw new Error("the HTTP rule has no pattern");
  if (pattern.case === "custom") return { httpMethod: pattern.value.kind, path: pattern.value.path };
  return { httpMethod: pattern.case.toUpperCase(), path: pattern.value };
}

function fieldNamed(message: DescMessage, name: string): DescField | undefined {
  if (name === "") return undefined;
  const field = message.fields.find((candidate) => candidate.name === name);
  if (field === undefined) throw new Error(`${message.typeName} has no field ${name}`);
  return field;
}

/** Returns true if the field is required. */
export const isRequired = (field: DescField): boolean => behaviorsOf(field).includes(FieldBehavior.REQUIRED);

/** Returns true if the field appears only in responses. */
export const isOutputOnly = (field: DescField): boolean =>
  behaviorsOf(field).includes(FieldBehavior.OUTPUT_ONLY);

const behaviorsOf = (field: DescField): readonly FieldBehavior[] => getOption(field, field_behavior);
