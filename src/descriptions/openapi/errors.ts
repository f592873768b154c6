import type { DescMessage, JsonObject, Registry } from "@bufbuild/protobuf";
import { CodeSchema } from "../../gen/google/rpc/code_pb.js";
import { BadRequestSchema, ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.js";
import type { Operation } from "../operation.js";
import { messageNamed, type SchemaMessages } from "../schema-messages.js";
import { OpenApiSchemas } from "./schema.js";

const ERROR = "ErrorResponse";

/** Types of error details, and their required fields (AIP-193). */
const DETAILS = [
  { typeName: ErrorInfoSchema.typeName, required: ["reason", "domain"] },
  { typeName: BadRequestSchema.typeName, required: ["fieldViolations"] },
];

/** Returns the messages for error details. */
export const errorDetails = (contract: Registry): DescMessage[] =>
  DETAILS.map(({ typeName }) => messageNamed(typeName, contract));

/** Returns the schemas of errors (AIP-193). */
export function errorSchemas(contract: Registry, messages: SchemaMessages): JsonObject {
  const schemas = new OpenApiSchemas(messages);
  const details = DETAILS.map(({ typeName, required }): [string, JsonObject] => {
    const message = messageNamed(typeName, contract);
    const { properties, ...schema } = schemas.ofMessage(message);
    // Details are packed in an `Any`, whose JSON names the type.
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
      description: "A failure (AIP-193).",
      required: ["error"],
      properties: {
        error: {
          type: "object",
          required: ["code", "message", "status", "details"],
          properties: {
            code: { type: "integer", description: "The HTTP status." },
            message: { type: "string", description: "What was wrong and what to do about it, for people." },
            status: {
              type: "string",
              description: "The canonical code.",
              enum: CodeSchema.values.map(({ name }) => name).filter((name) => name !== "OK"),
            },
            details: {
              type: "array",
              description: "The reason, for programs, and which fields are wrong, if any are.",
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
const RETRY_AFTER = { "Retry-After": header("Seconds after which to try again.") };

interface Failure {
  readonly status: string;
  /** Name of the response component. */
  readonly name: string;
  readonly description: string;
  readonly headers?: JsonObject;
  /** Tells whether an operation can fail this way. If omitted, every operation can. */
  readonly of?: (operation: Operation) => boolean;
}

const hasBody = ({ request }: Operation): boolean => request !== undefined;

/** Tells whether the body can contain an etag (AIP-154). */
export const takesEtag = ({ request }: Operation): boolean =>
  request?.kind === "message" && request.message.fields.some(({ name }) => name === "etag");

export const isRead = ({ binding }: Operation): boolean => binding.httpMethod === "GET";

/** Tells whether an operation supports `If-Match` and `If-None-Match`: it reads or changes a resource. */
export const isConditional = (operation: Operation): boolean => isRead(operation) || takesEtag(operation);

const FAILURES: readonly Failure[] = [
  { status: "400", name: "InvalidArgument", description: "A parameter or the body is wrong." },
  {
    status: "401",
    name: "Unauthenticated",
    description: "There is no access token, or it is not valid.",
    headers: { "WWW-Authenticate": header("What is missing (RFC 6750).") },
  },
  {
    status: "403",
    name: "PermissionDenied",
    description: "The token has none of the scopes, or its principal has no sufficient role on the project.",
    headers: { "WWW-Authenticate": header("The scopes that are needed, if that is it (RFC 6750).") },
  },
  { status: "404", name: "NotFound", description: "There is no such resource." },
  {
    status: "409",
    name: "Aborted",
    description: "The resource has been changed since its `etag` was read.",
    of: takesEtag,
  },
  {
    status: "412",
    name: "PreconditionFailed",
    description: "What is there is not what `If-Match` names, or a change finds what `If-None-Match` names.",
    of: isConditional,
  },
  { status: "413", name: "BodyTooLarge", description: "The body is too large.", of: hasBody },
  {
    status: "415",
    name: "UnsupportedBody",
    description: "The body has another media type, or is packed in an unknown way.",
    of: hasBody,
  },
  {
    status: "429",
    name: "ResourceExhausted",
    description: "More requests than the quota allows.",
    headers: RETRY_AFTER,
  },
  {
    status: "503",
    name: "Unavailable",
    description: "Something that the server needs is not there for the moment.",
    headers: RETRY_AFTER,
  },
  { status: "default", name: "Failure", description: "Any other failure." },
];

/** Returns the error responses that the operations refer to. */
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

/** Returns references to the error responses of an operation, by status. */
export function errorResponsesOf(operation: Operation): JsonObject {
  const possible = FAILURES.filter(({ of = () => true }) => of(operation));
  return Object.fromEntries(
    possible.map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }]),
  );
}
