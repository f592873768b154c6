import type { JsonObject } from "@bufbuild/protobuf";
import { isRequired } from "../../transcoding/http-rule.js";
import type { PathTemplate, TemplateVariable } from "../../transcoding/path-template.js";
import { commentOf, described } from "../comments.js";
import type { Content, Operation, PathParameter } from "../operation.js";
import { pathWithVariables, pathWithWildcards } from "../path-text.js";
import type { SchemaMessages } from "../schema-messages.js";
import type { DiscoverySchemas } from "./schema.js";

export function discoveryMethod(
  operation: Operation,
  id: string,
  scopes: readonly string[],
  messages: SchemaMessages,
  schemas: DiscoverySchemas,
): JsonObject {
  const { method, binding, pathParameters, queryParameters, request, response } = operation;
  const parameters = [
    ...pathParameters.map((parameter): [string, JsonObject] => [
      parameter.name,
      {
        ...schemas.ofParameter(parameter.field),
        location: "path",
        required: true,
        ...pattern(parameter, binding.template),
      },
    ]),
    ...queryParameters.map(({ name, field }): [string, JsonObject] => [
      name,
      { ...schemas.ofParameter(field), location: "query", ...(isRequired(field) && { required: true }) },
    ]),
  ];
  return {
    id,
    path: path(binding.template, pathParameters),
    flatPath: flatPath(binding.template),
    httpMethod: binding.httpMethod,
    ...described(commentOf(method)),
    parameters: Object.fromEntries(parameters),
    parameterOrder: parameters.flatMap(([name, { required }]) => (required === true ? [name] : [])),
    ...reference("request", request, messages),
    ...reference("response", response, messages),
    scopes: [...scopes],
  };
}

/** Formats a path as `v1/{+name}` (RFC 6570). With `+`, slashes are not escaped. */
function path(template: PathTemplate, parameters: readonly PathParameter[]): string {
  const nameOf = (variable: TemplateVariable) =>
    parameters.find((parameter) => parameter.variable === variable)?.name ?? variable.fieldPath;
  const text = pathWithVariables(
    template,
    (variable) => `{${variable.single ? "" : "+"}${nameOf(variable)}}`,
  );
  return text.slice(1);
}

/**
 * Formats a path with one parameter for each wildcard, such as
 * `v1/projects/{projectsId}/apps/{appsId}/appAttestConfig`.
 */
const flatPath = (template: PathTemplate): string =>
  pathWithWildcards(template, ({ collection, variable }) =>
    variable?.single ? `{${variable.fieldPath}}` : `{${collection ?? variable?.fieldPath ?? "any"}Id}`,
  ).slice(1);

/** Returns the `pattern` that a variable with several segments must match. */
function pattern({ variable }: PathParameter, { segments }: PathTemplate): JsonObject {
  if (variable.single) return {};
  const parts = segments.slice(variable.start, variable.end).map((segment) => {
    if (segment.kind === "literal") return segment.text.replace(/[^\w-]/g, "\\$&");
    return segment.kind === "one" ? "[^/]+" : ".*";
  });
  return { pattern: `^${parts.join("/")}$` };
}

function reference(key: string, content: Content | undefined, messages: SchemaMessages): JsonObject {
  if (content === undefined || content.kind === "field") return {};
  return { [key]: { $ref: messages.nameOf(content.message) } };
}
