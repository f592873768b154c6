import type { DescEnum, DescField, DescMessage, JsonObject } from "@bufbuild/protobuf";
import { isOutputOnly, isRequired } from "../../transcoding/http-rule.js";
import { commentOf, described } from "../comments.js";
import { fieldSchema, type SchemaVocabulary, type SimpleType, valueSchema } from "../field-schema.js";
import type { SchemaMessages } from "../schema-messages.js";

const ANYTHING: JsonObject = { type: "any" };

/** Types of ProtoJSON in discovery documents (https://developers.google.com/discovery/v1/type-format). */
const SIMPLE: Readonly<Record<SimpleType, JsonObject>> = {
  boolean: { type: "boolean" },
  int32: { type: "integer", format: "int32" },
  uint32: { type: "integer", format: "uint32" },
  int64: { type: "string", format: "int64" },
  uint64: { type: "string", format: "uint64" },
  float: { type: "number", format: "float" },
  double: { type: "number", format: "double" },
  string: { type: "string" },
  bytes: { type: "string", format: "byte" },
  duration: { type: "string", format: "google-duration" },
  timestamp: { type: "string", format: "google-datetime" },
  fieldMask: { type: "string", format: "google-fieldmask" },
  any: { type: "object", additionalProperties: ANYTHING },
  struct: { type: "object", additionalProperties: ANYTHING },
  value: ANYTHING,
  listValue: { type: "array", items: ANYTHING },
};

export class DiscoverySchemas implements SchemaVocabulary {
  readonly simple = SIMPLE;
  readonly #messages: SchemaMessages;

  constructor(messages: SchemaMessages) {
    this.#messages = messages;
  }

  /** Returns a message's schema. @param requiredBy ids of the methods that accept the message. */
  ofMessage(message: DescMessage, requiredBy: readonly string[]): JsonObject {
    const properties = message.fields.map((field) => {
      const annotations = isRequired(field) &&
        requiredBy.length > 0 && { annotations: { required: [...requiredBy] } };
      const schema = {
        ...fieldSchema(field, this),
        ...(isOutputOnly(field) && { readOnly: true }),
        ...described(commentOf(field)),
        ...annotations,
      };
      return [field.jsonName, schema];
    });
    return {
      id: this.#messages.nameOf(message),
      ...described(commentOf(message)),
      type: "object",
      properties: Object.fromEntries(properties),
    };
  }

  /** Returns a parameter's description. A list is marked as `repeated`. */
  ofParameter(field: DescField): JsonObject {
    return {
      ...valueSchema(field, this),
      ...(field.fieldKind === "list" && { repeated: true }),
      ...described(commentOf(field)),
    };
  }

  referenceTo(message: DescMessage): JsonObject {
    return { $ref: this.#messages.nameOf(message) };
  }

  ofEnum({ values }: DescEnum): JsonObject {
    return {
      type: "string",
      enum: values.map(({ name }) => name),
      enumDescriptions: values.map(commentOf),
    };
  }
}
