import type { DescEnum, DescField, DescMessage, JsonObject } from "@bufbuild/protobuf";
import { type SimpleType, valueTypeOf } from "./value-type.js";

/** Schemas of field values in one description format. */
export interface SchemaVocabulary {
  readonly simple: Readonly<Record<SimpleType, JsonObject>>;
  ofEnum(desc: DescEnum): JsonObject;
  /** Refers to the schema of a message. */
  referenceTo(message: DescMessage): JsonObject;
}

/** Returns the schema of a field, without its comment. */
export function fieldSchema(field: DescField, vocabulary: SchemaVocabulary): JsonObject {
  const value = valueSchema(field, vocabulary);
  switch (field.fieldKind) {
    case "list":
      return { type: "array", items: value };
    case "map":
      return { type: "object", additionalProperties: value };
    default:
      return value;
  }
}

/**
 * Returns the schema of a single value of a field: of an item if it is repeated, of a map value if it is a
 * map.
 */
export function valueSchema(field: DescField, vocabulary: SchemaVocabulary): JsonObject {
  const type = valueTypeOf(field);
  switch (type.kind) {
    case "simple":
      return vocabulary.simple[type.type];
    case "enum":
      return vocabulary.ofEnum(type.desc);
    case "message":
      return vocabulary.referenceTo(type.desc);
  }
}
