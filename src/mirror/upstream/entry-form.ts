import { LRUCache } from "lru-cache";
import { DATA_FIELDS } from "../../messaging-data/delivery-data/encode/figure-fields.js";
import { at } from "../../model/collections.js";
import { COUNTS } from "../../store/delivery-data-store.js";
import { isCount, isPercentage, type KnownFields, NUMBER_PATTERN } from "./known-fields.js";
import { copyOf, type PageText, type Spacing, tokensPattern } from "./page-text.js";

/** A value of an entry: its meaning, and for figures their counts' columns. */
type Slot =
  | { readonly kind: "appId" | "label" }
  | { readonly kind: "date"; readonly name: string }
  | { readonly kind: "count"; readonly column: number }
  | { readonly kind: "percentage"; readonly column: number; readonly denominator: number };

/** All values that an entry may have, by their path in JSON. */
const SLOTS = new Map<string, Slot>([
  ["appId", { kind: "appId" }],
  ["analyticsLabel", { kind: "label" }],
  ...["year", "month", "day"].map((name) => [`date.${name}`, { kind: "date", name }] as const),
  ...DATA_FIELDS.flatMap((figure): [string, Slot][] => {
    const path = `data.${figure.field.jsonName}`;
    if (figure.kind === "count") return [[path, { kind: "count", column: figure.column }]];
    const { denominator, percents } = figure;
    return percents.map(({ field, column }) => [
      `${path}.${field.jsonName}`,
      { kind: "percentage", column, denominator },
    ]);
  }),
]);

const ACCEPTED = COUNTS.indexOf("count_messages_accepted");

/** Placeholder for a value, including its quotes. No field name contains this character. */
const SLOT = "#";

/** Matches a string in JSON without escape sequences. */
const PLAIN_STRING = '"([^"\\\\\\x00-\\x1f]*)"';
const NUMBER = `(${NUMBER_PATTERN})`;
const VALUE_PATTERNS = {
  appId: PLAIN_STRING,
  label: PLAIN_STRING,
  date: NUMBER,
  count: `"${NUMBER}"`,
  percentage: NUMBER,
};

/** An entry's content. */
export interface EntryContent {
  readonly appId: string;
  readonly label: string;
  /** JSON form of a `google.type.Date`. */
  readonly date: Readonly<Record<string, number>>;
  /** The entry as an `AndroidDeliveryData` in JSON. */
  readonly original: string;
  /**
   * Counts that are derived from the figures, in the order of `COUNTS`. Percentages are rounded to integers. `undefined`
   * if the figures lack the number of accepted messages or their outcomes.
   */
  readonly counts: readonly number[] | undefined;
}

/** An entry's form: everything in its JSON except values. Many entries have the same form. */
class EntryForm {
  readonly #slots: readonly Slot[];
  /** The JSON around the values. */
  readonly #pieces: readonly string[];
  readonly #hasOutcomes: boolean;
  readonly #form: string;
  readonly #patterns: Partial<Record<Spacing, RegExp>> = {};

  /** @param form the JSON with {@link SLOT} instead of each value. */
  constructor(form: string, slots: readonly Slot[]) {
    this.#form = form;
    this.#slots = slots;
    this.#pieces = form.split(SLOT);
    this.#hasOutcomes = form.includes('"messageOutcomePercents"');
  }

  /** Reads the next entry of a page. @returns `undefined` if the entry has another form, or an invalid value. */
  read(page: PageText, spacing: Spacing): EntryContent | undefined {
    const { position } = page;
    this.#patterns[spacing] ??= this.#patternFor(spacing);
    const match = page.match(this.#patterns[spacing]);
    if (match === undefined) return undefined;
    const values: (string | number)[] = [];
    let isUnchanged = spacing === "compact" && page.isAscii;
    for (let i = 0; i < this.#slots.length; i++) {
      const { kind } = at(this.#slots, i);
      if (kind === "appId" || kind === "label") {
        values.push(copyOf(match, i + 1));
        continue;
      }
      const text = at(match, i + 1);
      // Adding 0 converts -0 to 0.
      const value = Number(text) + 0;
      if (!isValid(kind, value)) {
        page.position = position;
        return undefined;
      }
      isUnchanged &&= String(value) === text;
      values.push(value);
    }
    return this.entry(values, isUnchanged ? copyOf(match, 0) : undefined);
  }

  #patternFor(spacing: Spacing): RegExp {
    const tokens = this.#form.match(/"\w+"|[{}:,]|#/g) ?? [];
    let index = 0;
    const patterns = tokens.map((token) =>
      token === SLOT ? VALUE_PATTERNS[at(this.#slots, index++).kind] : token.replace(/[{}]/, "\\$&"),
    );
    return tokensPattern(patterns, spacing);
  }

  /** Creates an entry with this form. @param values the values in order. Counts may be strings. */
  entry(values: readonly (string | number)[], original = this.#json(values)): EntryContent {
    let [appId, label, accepted] = ["", "", -1];
    const date: Record<string, number> = {};
    const counts = new Array<number>(COUNTS.length).fill(0);
    for (let i = 0; i < values.length; i++) {
      const slot = at(this.#slots, i);
      const value = at(values, i);
      if (slot.kind === "appId") appId = String(value);
      else if (slot.kind === "label") label = String(value);
      else if (slot.kind === "date") date[slot.name] = Number(value);
      else if (slot.kind === "count") {
        counts[slot.column] = Number(value);
        if (slot.column === ACCEPTED) accepted = Number(value);
      }
    }
    const isKnown = accepted === 0 || (accepted > 0 && this.#hasOutcomes);
    if (isKnown) this.#addPercentages(counts, values);
    return { appId, label, date, original, counts: isKnown ? counts : undefined };
  }

  #addPercentages(counts: number[], values: readonly (string | number)[]): void {
    for (let i = 0; i < values.length; i++) {
      const slot = at(this.#slots, i);
      if (slot.kind !== "percentage") continue;
      counts[slot.column] = Math.round((Number(at(values, i)) * at(counts, slot.denominator)) / 100);
    }
  }

  #json(values: readonly (string | number)[]): string {
    const parts = [at(this.#pieces, 0)];
    for (let i = 0; i < values.length; i++) {
      const value = at(values, i);
      const isCountValue = at(this.#slots, i).kind === "count";
      parts.push(isCountValue ? `"${value}"` : JSON.stringify(value), at(this.#pieces, i + 1));
    }
    return parts.join("");
  }
}

function isValid(kind: "date" | "count" | "percentage", value: number): boolean {
  if (kind === "percentage") return isPercentage(value);
  return kind === "count" ? isCount(value) : Number.isSafeInteger(value);
}

/** Number of forms to try for each entry of a page. */
const MAX_RECENT = 8;
/** Maximum number of forms in memory. */
const MAX_FORMS = 256;

/**
 * Reads entries by the forms of earlier ones. This is several times as fast as parsing their JSON and checking each
 * field. Recognizes only entries with fields in contract order.
 */
export class EntryForms {
  readonly #forms = new LRUCache<string, EntryForm>({ max: MAX_FORMS });

  /**
   * Reads the next entry of a page.
   *
   * @returns `undefined` if its form is not among the recent ones, or it has an invalid value.
   */
  read(page: PageText): EntryContent | undefined {
    const { spacing } = page;
    let tried = 0;
    // The most recently used form comes first.
    for (const [text, form] of this.#forms.entries()) {
      if (tried++ === MAX_RECENT) break;
      const entry = form.read(page, spacing);
      if (entry === undefined) continue;
      this.#forms.get(text);
      return entry;
    }
    return undefined;
  }

  /** Creates an entry from its fields, and keeps its form. */
  entryOf(known: KnownFields): EntryContent {
    const values: (string | number)[] = [];
    const text = formOf(known, values);
    let form = this.#forms.get(text);
    if (form === undefined) {
      form = new EntryForm(text, slotsOf(known, ""));
      this.#forms.set(text, form);
    }
    return form.entry(values);
  }
}

/** Returns the form's text, and adds the values to `values`. */
function formOf(known: KnownFields, values: (string | number)[]): string {
  let form = "";
  for (const name of Object.keys(known)) {
    const value = known[name];
    if (value === undefined) continue;
    form += `${form === "" ? "" : ","}"${name}":`;
    if (typeof value === "object") form += formOf(value, values);
    else {
      form += SLOT;
      values.push(value);
    }
  }
  return `{${form}}`;
}

function slotsOf(known: KnownFields, path: string): readonly Slot[] {
  return Object.entries(known).flatMap(([name, value]) => {
    if (typeof value === "object") return slotsOf(value, `${path}${name}.`);
    const slot = SLOTS.get(path + name);
    if (slot === undefined) throw new Error(`${path}${name} has no meaning`);
    return [slot];
  });
}
