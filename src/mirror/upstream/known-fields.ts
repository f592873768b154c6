import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { printable } from "../../limits/excerpt.js";

/** Known fields of a JSON message, in ProtoJSON and in contract order. */
export interface KnownFields {
  readonly [jsonName: string]: KnownValue;
}

/** Counts are strings, like all 64-bit integers in ProtoJSON. */
export type KnownValue = string | number | KnownFields;

/** Reads a JSON value. Returns `undefined` after adding a problem if the value is invalid. */
type Reader<T> = (json: unknown, problems: PageProblems) => T | undefined;

/** JSON numbers in strings, which ProtoJSON allows. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Returns a reader for a message's JSON form. The reader leaves unknown fields out and reports them. `null` counts
 * as absent (ProtoJSON); an explicit zero stays.
 *
 * @param path the message's field, for problems. Empty for the message itself.
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

/** Returns true for a JSON object, not for an array or `null`. */
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

/** The scalar types of delivery data, with their meaning there. */
const SCALARS = new Map<ScalarType, { kind: string; of: (json: unknown) => KnownValue | undefined }>([
  [ScalarType.STRING, { kind: "a string", of: (json) => (isText(json) ? json : undefined) }],
  [ScalarType.INT32, { kind: "an integer", of: integerOf }],
  [ScalarType.INT64, { kind: "a count up to 2^53", of: countOf }],
  [ScalarType.DOUBLE, { kind: "a percentage", of: percentageOf }],
]);

/** A lone surrogate would not survive UTF-8. */
const isText = (json: unknown): json is string => typeof json === "string" && !/\p{Surrogate}/u.test(json);

function integerOf(json: unknown): number | undefined {
  const number = numberOf(json);
  return Number.isSafeInteger(number) ? number : undefined;
}

function countOf(json: unknown): string | undefined {
  const count = integerOf(json);
  return count === undefined || count < 0 ? undefined : String(count);
}

function percentageOf(json: unknown): number | undefined {
  const number = numberOf(json);
  return number !== undefined && number >= 0 && number <= 100 ? number : undefined;
}

function numberOf(json: unknown): number | undefined {
  const isNumber = typeof json === "number" || (typeof json === "string" && NUMBER.test(json));
  // Converts -0 to 0, since the JSON text is the same.
  return isNumber ? Number(json) + 0 : undefined;
}

/** Maximum number of problem kinds per page. */
const MAX_KINDS = 20;

/** Collects problems in a page: each kind once, with the first value that shows it. */
export class PageProblems {
  readonly #texts = new Map<string, string>();

  /** @param value a value that shows the problem. */
  add(kind: string, value?: unknown): void {
    if (this.#texts.has(kind) || this.#texts.size > MAX_KINDS) return;
    if (this.#texts.size === MAX_KINDS) this.#texts.set("", "there are further kinds of problems");
    else this.#texts.set(kind, value === undefined ? kind : `${kind}: ${excerptOf(value)}`);
  }

  /** Short printable sentences, in order of discovery. */
  get texts(): readonly string[] {
    return [...this.#texts.values()];
  }
}

function excerptOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return printable(String(value));
  return Array.isArray(value) ? "an array" : "an object";
}
