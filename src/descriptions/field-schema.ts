import type { DescEnum, DescField, DescMessage, JsonObject } from "@bufbuild/protobuf";
import { type SimpleType, valueTypeOf } from "./value-type.js";

/** What schemas say in one form of description of the values that fields hold. */
export interface SchemaVocabulary {
  readonly simple: Readonly<Record<SimpleType, JsonObject>>;
  ofEnum(desc: DescEnum): JsonObject;
  /** Refers to the schema of a message. */
  referenceTo(message: DescMessage): JsonObject;
}

/** The schema of what a field holds, without its comment. */
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

/** The schema of a field's values: of its items if it is repeated, of what stands under each key if it is a map. */
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
