import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type JsonObject,
  ScalarType,
} from "@bufbuild/protobuf";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";

/** Types of a single ProtoJSON value, except declared enums and messages. */
export type SimpleType =
  | "boolean"
  | "int32"
  | "uint32"
  | "int64"
  | "uint64"
  | "float"
  | "double"
  | "string"
  | "bytes"
  | "duration"
  | "timestamp"
  | "fieldMask"
  | "any"
  | "struct"
  | "value"
  | "listValue";

export type ValueType =
  | { readonly kind: "simple"; readonly type: SimpleType }
  | { readonly kind: "enum"; readonly desc: DescEnum }
  | { readonly kind: "message"; readonly desc: DescMessage };

/** Returns a value's type. For a repeated field, this is an item's type; for a map field, a map value's type. */
export function valueTypeOf(field: DescField): ValueType {
  if (field.enum !== undefined) return { kind: "enum", desc: field.enum };
  if (field.message !== undefined) return messageType(field.message);
  if (field.scalar !== undefined) return { kind: "simple", type: scalarType(field.scalar) };
  throw new Error(`${field} has no type`);
}

function messageType(desc: DescMessage): ValueType {
  if (isWrapperDesc(desc)) return { kind: "simple", type: scalarType(desc.fields[0].scalar) };
  const type = WELL_KNOWN.get(desc.typeName);
  return type === undefined ? { kind: "message", desc } : { kind: "simple", type };
}

/** Well-known messages with a special JSON form. */
const WELL_KNOWN: ReadonlyMap<string, SimpleType> = new Map<string, SimpleType>([
  ["google.protobuf.Any", "any"],
  ["google.protobuf.Duration", "duration"],
  ["google.protobuf.FieldMask", "fieldMask"],
  ["google.protobuf.ListValue", "listValue"],
  ["google.protobuf.Struct", "struct"],
  ["google.protobuf.Timestamp", "timestamp"],
  ["google.protobuf.Value", "value"],
]);

function scalarType(scalar: ScalarType): SimpleType {
  switch (scalar) {
    case ScalarType.BOOL:
      return "boolean";
    case ScalarType.STRING:
      return "string";
    case ScalarType.BYTES:
      return "bytes";
    case ScalarType.FLOAT:
      return "float";
    case ScalarType.DOUBLE:
      return "double";
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return "uint32";
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return "uint64";
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return "int64";
    default:
      return "int32";
  }
}

export interface SchemaVocabulary {
  readonly simple: Readonly<Record<SimpleType, JsonObject>>;
  ofEnum(desc: DescEnum): JsonObject;
  referenceTo(message: DescMessage): JsonObject;
}

/** Returns a field's schema, without its comment. */
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

/** Returns a value's schema. For a repeated field, this is an item's schema; for a map field, a map value's schema. */
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
