import type { JsonObject } from "@bufbuild/protobuf";
import { DEFAULT_DECODERS } from "../../http/bodies/request-body.js";
import { isRequired } from "../../transcoding/http-rule.js";
import { commentOf, described } from "../comments.js";
import type { Operation, PathParameter, QueryParameter } from "../operation.js";
import { pathWithWildcards } from "../path-text.js";
import { SYSTEM_PARAMETERS } from "../system-parameters.js";
import type { OpenApiSchemas } from "./schema.js";

/** A path in an OpenAPI description with its parameters. Each parameter spans one segment. */
export interface ExpandedPath {
  /** Path such as `/v1/projects/{project}/apps/{app}/appAttestConfig`. */
  readonly path: string;
  readonly parameters: readonly JsonObject[];
}

/** Converts a path so that each parameter spans one segment and is named after its collection. */
export function expandPath({ binding, pathParameters }: Operation, schemas: OpenApiSchemas): ExpandedPath {
  const parameters = new Map<string, JsonObject>();
  const path = pathWithWildcards(binding.template, ({ collection, variable }) => {
    const bound = pathParameters.find((parameter) => parameter.variable === variable);
    const isWhole = bound?.variable.single === true;
    const name = unusedName(
      isWhole ? bound.name : singularOf(collection ?? bound?.name ?? "any"),
      parameters,
    );
    const schema = isWhole ? schemas.ofFieldValue(bound.field) : { type: "string", minLength: 1 };
    const text = isWhole ? commentOf(bound.field) : partOf(bound);
    parameters.set(name, { name, in: "path", required: true, ...described(text), schema });
    return `{${name}}`;
  });
  return { path, parameters: [...parameters.values()] };
}

/** Describes a parameter as a part of the field that the path binds. */
const partOf = (bound: PathParameter | undefined): string =>
  bound === undefined ? "" : `A part of \`${bound.name}\`. ${commentOf(bound.field)}`.trim();

/**
 * Returns a collection's singular, such as `project` for `projects`. Wrong results for irregular plurals do no harm,
 * because they are only names.
 */
const singularOf = (collection: string): string => collection.replace(/ies$/, "y").replace(/([^s])s$/, "$1");

function unusedName(name: string, used: ReadonlyMap<string, unknown>): string {
  let unused = name;
  for (let count = 2; used.has(unused); count++) unused = `${name}${count}`;
  return unused;
}

/** Describes a parameter in the query. If the field is a list, the parameter may be repeated. */
export function queryParameter({ name, field }: QueryParameter, schemas: OpenApiSchemas): JsonObject {
  return {
    name,
    in: "query",
    ...(isRequired(field) && { required: true }),
    ...described(commentOf(field)),
    schema: schemas.ofFieldValue(field),
  };
}

/** Parameters that all operations have, by component name. */
export const COMMON_PARAMETERS: Readonly<Record<string, JsonObject>> = Object.fromEntries(
  SYSTEM_PARAMETERS.map(({ name, type, description, default: fallback, values }) => [
    name.replace("$.", ""),
    {
      name,
      in: "query",
      description,
      schema: {
        type,
        ...(values && { enum: Object.keys(values) }),
        ...(fallback !== undefined && { default: type === "boolean" ? fallback === "true" : fallback }),
      },
    },
  ]),
);

const header = (name: string, description: string, schema: JsonObject = { type: "string" }): JsonObject => ({
  name,
  in: "header",
  description,
  schema,
});

/** The header `If-None-Match` (RFC 9110 §13.1.2). */
export const IF_NONE_MATCH = header(
  "If-None-Match",
  "The `ETag` of an earlier response. If the response is unchanged, it is not sent again, and nothing is changed.",
);

/** The header `If-Match` (RFC 9110 §13.1.1). */
export const IF_MATCH = header(
  "If-Match",
  "The `ETag` of an earlier response. Unless the response is unchanged, nothing is sent or changed.",
);

/** The header `Content-Encoding` (RFC 9110 §8.4). */
export const CONTENT_ENCODING = header("Content-Encoding", "Compression of the body, if any.", {
  type: "string",
  enum: Object.keys(DEFAULT_DECODERS),
});

export const COMMON_PARAMETER_REFERENCES: readonly JsonObject[] = Object.keys(COMMON_PARAMETERS).map(
  (name) => ({
    $ref: `#/components/parameters/${name}`,
  }),
);
