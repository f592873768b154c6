import type { DescField, DescMessage, JsonObject, JsonValue } from "@bufbuild/protobuf";
import { hasCustomJsonRepresentation } from "@bufbuild/protobuf/wkt";
import { ApiError } from "../../api/api-error.js";
import { excerpt } from "../../limits/excerpt.js";

/**
 * Response fields to send, in the notation of partial responses in public APIs:
 * `nextPageToken,books(title,author/displayName)`.
 */
export interface FieldSelection {
  /** Selections below fields, by JSON name; `ALL` for a whole field. */
  readonly fields: Map<string, Selected>;
  /** Selection below every field, from `*`. */
  every?: Selected;
}

type Selected = FieldSelection | typeof ALL;

const ALL = "all";

/** Maximum nesting of a selection. */
const MAX_DEPTH = 32;

/**
 * Parses the system parameter `fields`:
 *
 *     Fields = Field { "," Field } ;
 *     Field  = Name { ( "/" | "." ) Name } [ "(" Fields ")" ] ;
 *     Name   = IDENT | "*" ;
 *
 * @param response response type. Every name must be one of its fields, in JSON or proto spelling.
 * @throws ApiError `INVALID_ARGUMENT` if the text is malformed or names an unknown field.
 */
export function parseFieldSelection(text: string, response: DescMessage): FieldSelection {
  return new SelectionParser(text).parse(response);
}

/** Selects fields of a ProtoJSON object. In lists, selects fields of each item. */
export function selectFields(json: JsonObject, selection: FieldSelection): JsonObject {
  return pick(json, [selection]);
}

/** Possible types of a part of a response. `any` is true if the part is arbitrary JSON. */
type Shape = { readonly messages: ReadonlySet<DescMessage>; readonly any: boolean };

class SelectionParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(response: DescMessage): FieldSelection {
    const selection: FieldSelection = { fields: new Map() };
    this.#parseFields(
      selection,
      { messages: new Set([response]), any: hasCustomJsonRepresentation(response) },
      0,
    );
    if (this.#at < this.#text.length) this.#fail(`unexpected "${this.#text[this.#at]}"`);
    return selection;
  }

  #parseFields(into: FieldSelection, shape: Shape, depth: number): void {
    do this.#parseField(into, shape, depth);
    while (this.#accept(","));
  }

  #parseField(into: FieldSelection, shape: Shape, depth: number): void {
    if (depth > MAX_DEPTH) this.#fail("is nested too deeply");
    const name = /^(?:\*|\w+)/.exec(this.#text.slice(this.#at, this.#at + 1000))?.[0];
    if (name === undefined) this.#fail("expected a field name");
    const fields = [...shape.messages].flatMap((message) => fieldsOf(message, name));
    if (fields.length === 0 && !shape.any) this.#fail(`there is no field "${excerpt(name)}"`);
    this.#at += name.length;
    const jsonNames = shape.any ? [name] : fields.map((field) => field.jsonName);
    if (this.#accept("/") || this.#accept(".")) {
      this.#parseField(this.#below(into, name, jsonNames), shapeBelow(fields, shape), depth + 1);
    } else if (this.#accept("(")) {
      this.#parseFields(this.#below(into, name, jsonNames), shapeBelow(fields, shape), depth + 1);
      if (!this.#accept(")")) this.#fail('expected ")"');
    } else if (name === "*") {
      into.every = ALL;
    } else {
      for (const jsonName of jsonNames) into.fields.set(jsonName, ALL);
    }
  }

  /** Returns the selection below a name, merged with earlier ones. */
  #below(selection: FieldSelection, name: string, jsonNames: readonly string[]): FieldSelection {
    const below: FieldSelection = { fields: new Map() };
    if (name === "*") {
      if (selection.every === undefined) selection.every = below;
      return selection.every === ALL ? below : selection.every;
    }
    const [known] = jsonNames.map((jsonName) => selection.fields.get(jsonName));
    if (known !== undefined) return known === ALL ? below : known;
    for (const jsonName of jsonNames) selection.fields.set(jsonName, below);
    return below;
  }

  #accept(token: string): boolean {
    if (this.#text[this.#at] !== token) return false;
    this.#at++;
    return true;
  }

  #fail(text: string): never {
    const description = `${text} at character ${this.#at + 1}`;
    throw ApiError.invalidArgument("INVALID_FIELD_SELECTION", "fields", description);
  }
}

function fieldsOf(message: DescMessage, name: string): DescField[] {
  if (hasCustomJsonRepresentation(message)) return [];
  if (name === "*") return message.fields;
  return message.fields.filter((field) => field.jsonName === name || field.name === name);
}

/** Well-known messages with arbitrary JSON keys. */
const ANY_JSON = new Set([
  "google.protobuf.Any",
  "google.protobuf.ListValue",
  "google.protobuf.Struct",
  "google.protobuf.Value",
]);

function shapeBelow(fields: readonly DescField[], { any }: Shape): Shape {
  const messages = new Set(fields.flatMap((field) => field.message ?? []));
  const freeNames = (field: DescField) =>
    field.fieldKind === "map" || (field.message !== undefined && ANY_JSON.has(field.message.typeName));
  return { messages, any: any || fields.some(freeNames) };
}

function pick(json: JsonObject, selections: readonly FieldSelection[]): JsonObject {
  const picked: JsonObject = {};
  for (const [name, value] of Object.entries(json)) {
    const part = pickField(name, value, selections);
    if (part !== undefined) picked[name] = part;
  }
  return picked;
}

function pickField(
  name: string,
  value: JsonValue,
  selections: readonly FieldSelection[],
): JsonValue | undefined {
  const below: FieldSelection[] = [];
  for (const { fields, every } of selections) {
    for (const selected of [fields.get(name), every]) {
      if (selected === ALL) return value;
      if (selected !== undefined) below.push(selected);
    }
  }
  return below.length === 0 ? undefined : pickBelow(value, below);
}

function pickBelow(value: JsonValue, selections: readonly FieldSelection[]): JsonValue | undefined {
  if (Array.isArray(value)) {
    return value.map((item) => pickBelow(item, selections)).filter((item) => item !== undefined);
  }
  return typeof value === "object" && value !== null ? pick(value, selections) : undefined;
}
