import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { printable } from "../../limits/excerpt.js";

/** Fields of a JSON message that the contract knows, in ProtoJSON and in contract order. */
export interface KnownFields {
  readonly [jsonName: string]: KnownValue;
}

/** A value in ProtoJSON. Counts are strings, like all 64-bit integers. */
export type KnownValue = string | number | KnownFields;

/** Reads a JSON value. If the value is invalid, adds a problem and returns `undefined`. */
type Reader<T> = (json: unknown, problems: PageProblems) => T | undefined;

/** Matches a number in JSON. */
export const NUMBER_PATTERN = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;

/** Matches a JSON number in a string, which ProtoJSON also accepts as a number. */
const NUMBER = new RegExp(`^${NUMBER_PATTERN}$`);

/**
 * Creates a reader for the JSON form of a message. The reader leaves out unknown fields, and reports them as problems.
 * A field with the value `null` is absent (ProtoJSON). A field with the value zero is present.
 *
 * @param path path of the message in problems; empty for the outermost message.
 */
export function knownFieldsReader(message: DescMessage, path = ""): Reader<KnownFields> {
  const fields = message.fields.map((field, index) => {
    const read = valueReader(field, pathOf(path, field.jsonName));
    return { index, jsonName: field.jsonName, name: field.name, read };
  });
  const byName = new Map(
    fields.flatMap((field) => [field.jsonName, field.name].map((name) => [name, field])),
  );
  return (json, problems) => {
    if (!isJsonObject(json)) {
      problems.add(`${path === "" ? "an entry" : path} is not an object`, json);
      return undefined;
    }
    const values: Record<string, KnownValue> = {};
    let last = -1;
    let isInOrder = true;
    for (const name of Object.keys(json)) {
      const field = byName.get(name);
      const raw = json[name];
      if (field === undefined) problems.add(`unknown field ${pathOf(path, printable(name))}`);
      else if (raw !== null) {
        const value = field.read(raw, problems);
        if (value === undefined) return undefined;
        values[field.jsonName] = value;
        isInOrder &&= field.index > last;
        last = field.index;
      }
    }
    if (isInOrder) return values;
    const found = fields.flatMap(({ jsonName }) => {
      const value = values[jsonName];
      return value === undefined ? [] : [[jsonName, value] as const];
    });
    return Object.fromEntries(found);
  };
}

/** Returns true if a value is a JSON object. Arrays and `null` are not. */
export const isJsonObject = (json: unknown): json is Readonly<Record<string, unknown>> =>
  typeof json === "object" && json !== null && !Array.isArray(json);

const pathOf = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);

function valueReader(field: DescField, path: string): Reader<KnownValue> {
  if (field.fieldKind === "message") return knownFieldsReader(field.message, path);
  if (field.fieldKind === "scalar") {
    const read = SCALARS.get(field.scalar);
    if (read !== undefined) return checked(read.of, `${path} is not ${read.kind}`);
  }
  throw new Error(`${field} has a type that delivery data does not use`);
}

const checked =
  (read: (json: unknown) => KnownValue | undefined, problem: string): Reader<KnownValue> =>
  (json, problems) => {
    const value = read(json);
    if (value === undefined) problems.add(problem, json);
    return value;
  };

/** Scalar types that delivery data uses, with a description of their values. */
const SCALARS = new Map<ScalarType, { kind: string; of: (json: unknown) => KnownValue | undefined }>([
  [ScalarType.STRING, { kind: "a string", of: (json) => (isText(json) ? json : undefined) }],
  [ScalarType.INT32, { kind: "an integer", of: integerOf }],
  [ScalarType.INT64, { kind: "a count up to 2^53", of: countOf }],
  [ScalarType.DOUBLE, { kind: "a percentage", of: percentageOf }],
]);

/** Strings with a lone surrogate are invalid, because UTF-8 cannot encode them. */
const isText = (json: unknown): json is string => typeof json === "string" && !/\p{Surrogate}/u.test(json);

function integerOf(json: unknown): number | undefined {
  const number = numberOf(json);
  return Number.isSafeInteger(number) ? number : undefined;
}

function countOf(json: unknown): string | undefined {
  const count = numberOf(json);
  return count !== undefined && isCount(count) ? String(count) : undefined;
}

export const isCount = (number: number): boolean => Number.isSafeInteger(number) && number >= 0;

function percentageOf(json: unknown): number | undefined {
  const number = numberOf(json);
  return number !== undefined && isPercentage(number) ? number : undefined;
}

export const isPercentage = (number: number): boolean => number >= 0 && number <= 100;

function numberOf(json: unknown): number | undefined {
  const isNumber = typeof json === "number" || (typeof json === "string" && NUMBER.test(json));
  // Adding 0 converts -0 to 0. Both have the same JSON text.
  return isNumber ? Number(json) + 0 : undefined;
}

/** Maximum number of kinds of problems to report for a page. */
const MAX_KINDS = 20;

/** Collects a page's problems. Reports each kind only once, with the first value that has this problem. */
export class PageProblems {
  readonly #texts = new Map<string, string>();

  /** Adds a problem. @param value a value that has the problem. */
  add(kind: string, value?: unknown): void {
    if (this.#texts.has(kind) || this.#texts.size > MAX_KINDS) return;
    if (this.#texts.size === MAX_KINDS) this.#texts.set("", "there are further kinds of problems");
    else this.#texts.set(kind, value === undefined ? kind : `${kind}: ${excerptOf(value)}`);
  }

  /** Problems as short printable sentences, in the order in which they were found. */
  get texts(): readonly string[] {
    return [...this.#texts.values()];
  }
}

function excerptOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return printable(String(value));
  return Array.isArray(value) ? "an array" : "an object";
}
