import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { printable } from "../../limits/excerpt.js";

/** The fields of a message that the contract knows and that were given, in the order of the contract, in ProtoJSON. */
export interface KnownFields {
  readonly [jsonName: string]: KnownValue;
}

/** A count is a text, as ProtoJSON has 64-bit integers. */
export type KnownValue = string | number | KnownFields;

/** Reads a JSON value; returns `undefined` after it has told what is wrong with it. */
type Reader<T> = (json: unknown, problems: PageProblems) => T | undefined;

/** JSON numbers in strings, which ProtoJSON allows. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Prepares a reader of the JSON form of a message. It leaves out unknown fields and tells them. `null` is the same as
 * absent (ProtoJSON); a zero that is given stays.
 *
 * @param path the message's field in problems; empty for the message itself.
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
      problems.tell(`${path === "" ? "an entry" : path} is not an object`, json);
      return undefined;
    }
    const values: Record<string, KnownValue> = {};
    let last = -1;
    let isInOrder = true;
    for (const name of Object.keys(json)) {
      const field = byName.get(name);
      const given = json[name];
      if (field === undefined) problems.tell(`unknown field ${pathOf(path, printable(name))}`);
      else if (given !== null) {
        const value = field.read(given, problems);
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

/** Returns true for an object of a JSON text, not for an array or `null`. */
export const isJsonObject = (json: unknown): json is Readonly<Record<string, unknown>> =>
  typeof json === "object" && json !== null && !Array.isArray(json);

const pathOf = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);

function valueReader(field: DescField, path: string): Reader<KnownValue> {
  if (field.fieldKind === "message") return knownFieldsReader(field.message, path);
  if (field.fieldKind === "scalar") {
    const read = SCALARS.get(field.scalar);
    if (read !== undefined) return checked(read.of, `${path} is not ${read.kind}`);
  }
  throw new Error(`${field} is of a kind that delivery data do not have`);
}

const checked =
  (read: (json: unknown) => KnownValue | undefined, problem: string): Reader<KnownValue> =>
  (json, problems) => {
    const value = read(json);
    if (value === undefined) problems.tell(problem, json);
    return value;
  };

/** The scalars of delivery data, by what they stand for there. */
const SCALARS = new Map<ScalarType, { kind: string; of: (json: unknown) => KnownValue | undefined }>([
  [ScalarType.STRING, { kind: "a text", of: (json) => (isText(json) ? json : undefined) }],
  [ScalarType.INT32, { kind: "an integer", of: integerOf }],
  [ScalarType.INT64, { kind: "a count up to 2^53", of: countOf }],
  [ScalarType.DOUBLE, { kind: "a percentage", of: percentageOf }],
]);

/** Half of a surrogate pair would not survive UTF-8. */
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
  // Makes 0 of -0, which texts do not tell apart.
  return isNumber ? Number(json) + 0 : undefined;
}

/** Most kinds of problems that are told of a page. */
const MAX_KINDS = 20;

/** Collects what is wrong with a page: each kind of problem once, with the first value that shows it. */
export class PageProblems {
  readonly #texts = new Map<string, string>();

  /** @param value a value of the page that shows the problem. */
  tell(kind: string, value?: unknown): void {
    if (this.#texts.has(kind) || this.#texts.size > MAX_KINDS) return;
    if (this.#texts.size === MAX_KINDS) this.#texts.set("", "there are further kinds of problems");
    else this.#texts.set(kind, value === undefined ? kind : `${kind}: ${excerptOf(value)}`);
  }

  /** Short printable sentences, in the order in which they were told. */
  get texts(): readonly string[] {
    return [...this.#texts.values()];
  }
}

function excerptOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return printable(String(value));
  return Array.isArray(value) ? "an array" : "an object";
}
