import type { DescMessage, JsonObject, Registry } from "@bufbuild/protobuf";
import { CodeSchema } from "../../gen/google/rpc/code_pb.js";
import { BadRequestSchema, ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.js";
import { etagFieldOf } from "../../transcoding/change-conditions.js";
import type { Operation } from "../operation.js";
import { messageNamed, type SchemaMessages } from "../schema-messages.js";
import { OpenApiSchemas } from "./schema.js";

const ERROR = "ErrorResponse";

/** Types of error details, and their required fields (AIP-193). */
const DETAILS = [
  { typeName: ErrorInfoSchema.typeName, required: ["reason", "domain"] },
  { typeName: BadRequestSchema.typeName, required: ["fieldViolations"] },
];

export const errorDetails = (contract: Registry): DescMessage[] =>
  DETAILS.map(({ typeName }) => messageNamed(typeName, contract));

/** Returns the schemas of errors (AIP-193). */
export function errorSchemas(contract: Registry, messages: SchemaMessages): JsonObject {
  const schemas = new OpenApiSchemas(messages);
  const details = DETAILS.map(({ typeName, required }): [string, JsonObject] => {
    const message = messageNamed(typeName, contract);
    const { properties, ...schema } = schemas.ofMessage(message);
    // A detail is packed in an `Any`, so its JSON contains the type name.
    const type = { "@type": { const: `type.googleapis.com/${typeName}` } };
    return [
      messages.nameOf(message),
      {
        ...schema,
        properties: { ...type, ...(properties as JsonObject) },
        required: [...Object.keys(type), ...required],
      },
    ];
  });
  return {
    ...Object.fromEntries(details),
    [ERROR]: {
      type: "object",
      description: "An error (AIP-193).",
      required: ["error"],
      properties: {
        error: {
          type: "object",
          required: ["code", "message", "status", "details"],
          properties: {
            code: { type: "integer", description: "The HTTP status." },
            message: { type: "string", description: "Explains the problem and the remedy, for people." },
            status: {
              type: "string",
              description: "The canonical code.",
              enum: CodeSchema.values.map(({ name }) => name).filter((name) => name !== "OK"),
            },
            details: {
              type: "array",
              description: "The reason, for programs, and the invalid fields, if any.",
              minItems: 1,
              items: { oneOf: errorDetails(contract).map((message) => schemas.referenceTo(message)) },
            },
          },
        },
      },
    },
  };
}

const header = (description: string): JsonObject => ({ description, schema: { type: "string" } });
const RETRY_AFTER = { "Retry-After": header("Seconds after which to retry.") };

interface Failure {
  readonly status: string;
  /** Name of the response component. */
  readonly name: string;
  readonly description: string;
  readonly headers?: JsonObject;
  /** Returns true if an operation can fail in this way. If omitted, every operation can. */
  readonly of?: (operation: Operation) => boolean;
}

const hasBody = ({ request }: Operation): boolean => request !== undefined;

const changesEtag = ({ method, binding }: Operation): boolean =>
  etagFieldOf(method.input, binding) !== undefined;

/** Returns true if the request has an `etag` field (AIP-154). */
const acceptsEtag = (operation: Operation): boolean =>
  changesEtag(operation) ||
  (operation.request?.kind === "message" &&
    operation.request.message.fields.some(({ name }) => name === "etag"));

export const isRead = ({ binding }: Operation): boolean => binding.httpMethod === "GET";

/**
 * Returns true if an operation supports `If-Match` and `If-None-Match`, because it reads or changes a single resource.
 */
export const isConditional = (operation: Operation): boolean =>
  operation.binding.httpMethod !== "POST" || changesEtag(operation);

const FAILURES: readonly Failure[] = [
  { status: "400", name: "InvalidArgument", description: "A parameter or the body is invalid." },
  {
    status: "401",
    name: "Unauthenticated",
    description: "The access token is missing or invalid.",
    headers: { "WWW-Authenticate": header("The missing credentials (RFC 6750).") },
  },
  {
    status: "403",
    name: "PermissionDenied",
    description: "The token lacks a required scope, or its principal lacks a sufficient role on the project.",
    headers: { "WWW-Authenticate": header("The required scopes, if the token lacks them (RFC 6750).") },
  },
  { status: "404", name: "NotFound", description: "The resource does not exist." },
  {
    status: "409",
    name: "Aborted",
    description: "The resource has been changed since its `etag` was read.",
    of: acceptsEtag,
  },
  {
    status: "412",
    name: "PreconditionFailed",
    description: "The current state does not match `If-Match`, or a change matches `If-None-Match`.",
    of: isConditional,
  },
  { status: "413", name: "BodyTooLarge", description: "The body is too large.", of: hasBody },
  {
    status: "415",
    name: "UnsupportedBody",
    description: "The body has an unsupported media type or encoding.",
    of: hasBody,
  },
  {
    status: "429",
    name: "ResourceExhausted",
    description: "The quota is exceeded.",
    headers: RETRY_AFTER,
  },
  {
    status: "503",
    name: "Unavailable",
    description: "The server is temporarily unable to serve the request.",
    headers: RETRY_AFTER,
  },
  { status: "default", name: "Failure", description: "Any other error." },
];

export function errorResponses(operations: readonly Operation[]): JsonObject {
  const possible = FAILURES.filter(({ of = () => true }) => operations.some(of));
  const content = { "application/json": { schema: { $ref: `#/components/schemas/${ERROR}` } } };
  return Object.fromEntries(
    possible.map(({ name, description, headers }) => [
      name,
      { description, ...(headers && { headers }), content },
    ]),
  );
}

/** Returns references to an operation's error responses, by status. */
export function errorResponsesOf(operation: Operation): JsonObject {
  const possible = FAILURES.filter(({ of = () => true }) => of(operation));
  return Object.fromEntries(
    possible.map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }]),
  );
}
