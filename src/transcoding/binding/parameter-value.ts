import {
  type DescEnum,
  type DescField,
  type DescMessage,
  fromJson,
  type JsonValue,
  ScalarType,
} from "@bufbuild/protobuf";
import { protoCamelCase, protoSnakeCase } from "@bufbuild/protobuf/reflect";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { excerpt } from "../../limits/excerpt.js";
import { MAX_MASK_FIELDS } from "../../limits/request-limits.js";

/**
 * Converts a parameter's decoded string to a field's ProtoJSON.
 *
 * @throws Error with a message that describes valid values.
 */
export type ValueParser = (text: string) => JsonValue;

/**
 * Returns the parser for a field, or for items if the field is repeated; `undefined` if a single string cannot
 * represent a value.
 */
export function valueParserOf(field: DescField): ValueParser | undefined {
  if (field.fieldKind === "map") return undefined;
  if (field.enum !== undefined) return enumParser(field.enum);
  if (field.message === undefined) return scalarParser(field.scalar);
  // google/api/http.proto forbids mapping a repeated message to parameters.
  return field.fieldKind === "list" ? undefined : wellKnownParser(field.message);
}

// As measured on public APIs: leading zeros are accepted, fractions and exponents are rejected, even in whole values.
const INTEGER = /^([+-]?)(\d+)$/;

function integerParser(least: bigint, greatest: bigint): ValueParser {
  const expected = `must be an integer from ${least} to ${greatest}`;
  // Longer numbers are out of range, and parsing them would be expensive.
  const mostDigits = 20;
  return (text) => {
    const [, sign, digits = ""] = INTEGER.exec(text) ?? [];
    const significant = digits.replace(/^0+(?=\d)/, "");
    if (sign === undefined || significant.length > mostDigits) throw new Error(expected);
    const magnitude = BigInt(significant);
    const value = sign === "-" ? -magnitude : magnitude;
    if (value < least || value > greatest) throw new Error(expected);
    return value.toString();
  };
}

const int32 = integerParser(-(2n ** 31n), 2n ** 31n - 1n);
const int64 = integerParser(-(2n ** 63n), 2n ** 63n - 1n);
const uint32 = integerParser(0n, 2n ** 32n - 1n);
const uint64 = integerParser(0n, 2n ** 64n - 1n);

// Numbers as in JSON: no leading zeros, no plus sign, no hexadecimal, no spaces.
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function floatParser(round: (value: number) => number): ValueParser {
  return (text) => {
    if (text === "NaN" || text === "Infinity" || text === "-Infinity") return text;
    if (!NUMBER.test(text) || !Number.isFinite(round(Number(text)))) {
      throw new Error('must be a number in range, "NaN", "Infinity" or "-Infinity"');
    }
    return Number(text);
  };
}

const float = floatParser(Math.fround);
const double = floatParser((value) => value);

const bool: ValueParser = (text) => {
  if (text !== "true" && text !== "false") throw new Error('must be "true" or "false"');
  return text === "true";
};

const BASE64 = /^(?:[A-Za-z0-9+/]*|[A-Za-z0-9_-]*)(={0,2})$/;

const bytes: ValueParser = (text) => {
  const padding = BASE64.exec(text)?.[1];
  const whole = padding === "" ? text.length % 4 !== 1 : text.length % 4 === 0;
  if (padding === undefined || !whole) throw new Error("must be base64 or base64url");
  return text;
};

function scalarParser(scalar: ScalarType): ValueParser {
  switch (scalar) {
    case ScalarType.STRING:
      return (text) => text;
    case ScalarType.BOOL:
      return bool;
    case ScalarType.BYTES:
      return bytes;
    case ScalarType.FLOAT:
      return float;
    case ScalarType.DOUBLE:
      return double;
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return uint32;
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return uint64;
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return int64;
    default:
      return int32;
  }
}

function enumParser(desc: DescEnum): ValueParser {
  const names = new Set(desc.values.map((value) => value.name));
  const numbers = new Set(desc.values.map((value) => value.number));
  return (text) => {
    if (names.has(text)) return text;
    const number = INTEGER.test(text) ? Number(int32(text)) : undefined;
    if (number === undefined || !(desc.open || numbers.has(number))) {
      throw new Error(expectedValueOf(desc));
    }
    return number;
  };
}

export const expectedValueOf = ({ values }: DescEnum): string =>
  `must be one of ${values.map(({ name }) => name).join(", ")}, or its number`;

/** Stricter than the library, which ignores text after the suffix. */
const isDuration = (text: string): boolean => /^-?\d{1,12}(?:\.\d{1,9})?s$/.test(text);

/** Stricter than the library, which converts February 30 to March 2, and accepts the hour 24. */
function isTimestamp(text: string): boolean {
  const day = text.slice(0, 10);
  return !text.startsWith("T24", 10) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

/** Returns the parser for a time or duration; `undefined` for other types. */
export function timeParserOf(desc: DescMessage): ValueParser | undefined {
  switch (desc.typeName) {
    case "google.protobuf.Duration":
      return checkedBy(desc, 'must be a count of seconds with the suffix "s", such as "3.5s"', isDuration);
    case "google.protobuf.Timestamp":
      return checkedBy(desc, 'must be an RFC 3339 time, such as "2026-01-31T12:00:00Z"', isTimestamp);
    default:
      return undefined;
  }
}

const FIELD_PATH = /^[a-z][A-Za-z0-9]*(?:\.[a-z][A-Za-z0-9]*)*$/;

/** Parses a field mask. Accepts JSON names, proto names, and `*` for all fields. Drops repetitions. */
const fieldMask: ValueParser = (text) => {
  if (text === "") return text;
  const paths = new Set(text.split(","));
  if (paths.size > MAX_MASK_FIELDS) throw new Error(`must be at most ${MAX_MASK_FIELDS} fields`);
  return [...new Set([...paths].map(jsonPathOf))].join();
};

function jsonPathOf(path: string): string {
  if (path === "*") return path;
  const jsonPath = protoCamelCase(path);
  const isReversible = !path.includes("_") || protoSnakeCase(jsonPath) === path;
  if (FIELD_PATH.test(jsonPath) && isReversible) return jsonPath;
  throw new Error(`must be field names, separated by commas; ${JSON.stringify(excerpt(path))} is not a name`);
}

function wellKnownParser(desc: DescMessage): ValueParser | undefined {
  if (isWrapperDesc(desc)) return scalarParser(desc.fields[0].scalar);
  return desc.typeName === "google.protobuf.FieldMask" ? fieldMask : timeParserOf(desc);
}

function checkedBy(desc: DescMessage, expected: string, isValid: (text: string) => boolean): ValueParser {
  return (text) => {
    try {
      if (!isValid(text)) throw new Error(expected);
      fromJson(desc, text);
    } catch (cause) {
      throw new Error(expected, { cause });
    }
    return text;
  };
}
