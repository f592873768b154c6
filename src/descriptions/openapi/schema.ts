import type { DescEnum, DescField, DescMessage, JsonObject } from "@bufbuild/protobuf";
import { isOutputOnly, isRequired } from "../../transcoding/http-rule.js";
import { commentOf, described } from "../comments.js";
import { fieldSchema, type SchemaVocabulary, type SimpleType } from "../field-schema.js";
import type { SchemaMessages } from "../schema-messages.js";

/** Types of ProtoJSON in JSON Schema 2020-12. */
const SIMPLE: Readonly<Record<SimpleType, JsonObject>> = {
  boolean: { type: "boolean" },
  int32: { type: "integer", format: "int32" },
  uint32: { type: "integer", minimum: 0, maximum: 2 ** 32 - 1 },
  int64: { type: "string", pattern: "^-?[0-9]+$" },
  uint64: { type: "string", pattern: "^[0-9]+$" },
  float: { type: "number", format: "float" },
  double: { type: "number", format: "double" },
  string: { type: "string" },
  bytes: { type: "string", contentEncoding: "base64" },
  duration: { type: "string", pattern: "^-?[0-9]+(\\.[0-9]{1,9})?s$" },
  timestamp: { type: "string", format: "date-time" },
  fieldMask: { type: "string" },
  any: { type: "object", properties: { "@type": { type: "string" } }, required: ["@type"] },
  struct: { type: "object" },
  value: {},
  listValue: { type: "array" },
};

export class OpenApiSchemas implements SchemaVocabulary {
  readonly simple = SIMPLE;
  readonly #messages: SchemaMessages;

  constructor(messages: SchemaMessages) {
    this.#messages = messages;
  }

  /**
   * Returns a message's schema. Only fields that requests must contain are `required`, because ProtoJSON omits fields
   * with default values.
   */
  ofMessage(message: DescMessage): JsonObject {
    const required = message.fields.filter(isRequired).map(({ jsonName }) => jsonName);
    return {
      type: "object",
      ...described(commentOf(message)),
      properties: Object.fromEntries(message.fields.map((field) => [field.jsonName, this.ofField(field)])),
      ...(required.length > 0 && { required }),
    };
  }

  referenceTo(message: DescMessage): JsonObject {
    return { $ref: `#/components/schemas/${this.#messages.nameOf(message)}` };
  }

  /** Describes a field with its comment. */
  ofField(field: DescField): JsonObject {
    const { description: ofValue = "", ...value } = this.ofFieldValue(field);
    const texts = [commentOf(field), ofValue].filter((text) => text !== "");
    return {
      ...value,
      ...described(texts.join("\n\n")),
      ...(isOutputOnly(field) && { readOnly: true }),
    };
  }

  /** Describes a field without its comment. */
  ofFieldValue(field: DescField): JsonObject {
    return fieldSchema(field, this);
  }

  ofEnum(desc: DescEnum): JsonObject {
    const values = desc.values.map((value) => {
      const comment = commentOf(value);
      return `* \`${value.name}\`${comment === "" ? "" : `: ${comment}`}`;
    });
    return {
      type: "string",
      description: values.join("\n"),
      enum: desc.values.map(({ name }) => name),
    };
  }
}
