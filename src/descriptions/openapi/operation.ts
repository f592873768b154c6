import type { JsonObject, Registry } from "@bufbuild/protobuf";
import { commentOf, described, firstSentence } from "../comments.js";
import { type Content, localId, type Operation, type Requirement } from "../operation.js";
import { messageNamed } from "../schema-messages.js";
import { errorResponsesOf, isConditional, isRead } from "./errors.js";
import { CONTENT_ENCODING, IF_MATCH, IF_NONE_MATCH, queryParameter } from "./parameters.js";
import type { OpenApiSchemas } from "./schema.js";

export const SECURITY_SCHEME = "accessToken";

/** Describes an operation without its path parameters. */
export function openApiOperation(
  operation: Operation,
  requirement: Requirement,
  tag: string,
  contract: Registry,
  schemas: OpenApiSchemas,
): JsonObject {
  const { method, queryParameters, request, response } = operation;
  const comment = commentOf(method);
  const { scopes } = requirement;
  const parameters = [
    ...queryParameters.map((parameter) => queryParameter(parameter, schemas)),
    ...(isConditional(operation) ? [IF_MATCH, IF_NONE_MATCH] : []),
    ...(request === undefined ? [] : [CONTENT_ENCODING]),
  ];
  return {
    operationId: localId(operation),
    tags: [tag],
    summary: firstSentence(comment) || method.name,
    ...described([comment, roleNeeded(requirement)].filter((text) => text !== "").join("\n\n")),
    // Each scope is an alternative requirement, because one of them is sufficient. Apps need no access token.
    security: scopes.map((scope) => ({ [SECURITY_SCHEME]: [scope] })),
    parameters,
    ...(request && { requestBody: { required: true, content: contentOf(request, contract, schemas) } }),
    responses: {
      "200": {
        description: (response.kind === "message" && commentOf(response.message)) || "The response.",
        ...(isRead(operation) && {
          headers: { ETag: { description: "Identifies this response.", schema: { type: "string" } } },
        }),
        content: contentOf(response, contract, schemas),
      },
      ...(isRead(operation) && {
        "304": { description: "The response is unchanged since `If-None-Match`." },
      }),
      ...errorResponsesOf(operation),
    },
  };
}

function roleNeeded({ role, everyProject, allProjects }: Requirement): string {
  if (role === undefined) return "";
  if (everyProject) return `Covers the projects on which the caller has the role \`${role}\`.`;
  return `Needs the role \`${role}\` on ${allProjects ? "all projects" : "the project"}.`;
}

function contentOf(content: Content, contract: Registry, schemas: OpenApiSchemas): JsonObject {
  switch (content.kind) {
    case "message":
      return { "application/json": { schema: schemas.referenceTo(content.message) } };
    case "field":
      return { "application/json": { schema: schemas.ofFieldValue(content.field) } };
    case "bytes":
      return { [content.mediaType]: { schema: ofBytes(content, contract, schemas) } };
  }
}

/** Returns the schema for a body of bytes. Text with one JSON value per line is described as a list of values. */
function ofBytes(
  { mediaType, lineType }: Extract<Content, { kind: "bytes" }>,
  contract: Registry,
  schemas: OpenApiSchemas,
): JsonObject {
  if (lineType === undefined) return {};
  const items = schemas.referenceTo(messageNamed(lineType, contract));
  return { type: "string", contentMediaType: mediaType, contentSchema: { type: "array", items } };
}
