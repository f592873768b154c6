import type { JsonObject } from "@bufbuild/protobuf";
import { commentOf, described } from "../comments.js";
import { apiNameOf, type DescriptionParts } from "../description.js";
import { allOperationsOf, requirementOf } from "../operation.js";
import { messagesIn, SchemaMessages } from "../schema-messages.js";
import { errorDetails, errorResponses, errorSchemas } from "./errors.js";
import { openApiOperation, SECURITY_SCHEME } from "./operation.js";
import { COMMON_PARAMETER_REFERENCES, COMMON_PARAMETERS, expandPath } from "./parameters.js";
import { OpenApiSchemas } from "./schema.js";

/** HTTP methods that OpenAPI supports. */
const HTTP_METHODS = new Set(["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"]);

/**
 * Creates the OpenAPI 3.1 document of a service (https://spec.openapis.org/oas/v3.1.1). Operations with HTTP methods
 * that OpenAPI does not support are omitted.
 */
export function openApiDocument(parts: DescriptionParts): JsonObject {
  const { contract, service, baseUrl, scopeNames } = parts;
  const { version, title } = apiNameOf(service);
  const operations = allOperationsOf(service).filter(({ binding }) => HTTP_METHODS.has(binding.httpMethod));
  const messages = new SchemaMessages([
    ...operations.flatMap(({ request, response }) =>
      [request, response].flatMap((content) => messagesIn(content, contract)),
    ),
    ...errorDetails(contract),
  ]);
  const schemas = new OpenApiSchemas(messages);
  const paths: { [path: string]: JsonObject } = {};
  for (const operation of operations) {
    const { path, parameters } = expandPath(operation, schemas);
    const requirement = requirementOf(operation.method, scopeNames);
    paths[path] ??= { parameters: [...parameters, ...COMMON_PARAMETER_REFERENCES] };
    paths[path][operation.binding.httpMethod.toLowerCase()] = openApiOperation(
      operation,
      requirement,
      service.name,
      contract,
      schemas,
    );
  }
  return {
    openapi: "3.1.1",
    info: {
      title,
      version,
      ...described(commentOf(service)),
      license: { name: "Apache License 2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: baseUrl }],
    tags: [{ name: service.name, ...described(commentOf(service)) }],
    paths,
    components: {
      securitySchemes: {
        [SECURITY_SCHEME]: {
          type: "http",
          scheme: "bearer",
          description:
            "An access token (RFC 6750). It needs one of the OAuth 2.0 scopes that the operation lists.",
        },
      },
      parameters: COMMON_PARAMETERS,
      responses: errorResponses(operations),
      schemas: {
        ...Object.fromEntries(
          [...messages.names].map(([message, name]) => [name, schemas.ofMessage(message)]),
        ),
        ...errorSchemas(contract, messages),
      },
    },
  };
}
