import { AndroidDeliveryDataSchema } from "../../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { printable } from "../../../limits/excerpt.js";
import { at, byBytes } from "../../../model/collections.js";
import { civilDate, type Day, dayOfCivil } from "../../../model/day.js";
import type { Comparison, EntryFilter } from "../../../store/delivery-data-store.js";
import { type Comparator, FilterError } from "./lexer.js";
import type { Literal } from "./parser.js";
import { type FilterLanguage, MAX_WILDCARDS, namesOf, type Wildcards } from "./read-filter.js";

const { date, analyticsLabel } = AndroidDeliveryDataSchema.field;

/** Filter language for entries. The store evaluates the conditions. */
export const ENTRY_FILTERS: FilterLanguage<EntryFilter> = {
  fields: [
    { names: namesOf(date), conditionOf: dateFilter },
    { names: namesOf(analyticsLabel), conditionOf: labelFilter },
  ],
  and: (operands) => ({ kind: "and", operands }),
  or: (operands) => ({ kind: "or", operands }),
  not: (operand) => ({ kind: "not", operand }),
};

/** Condition that all entries match, because all have a date. */
const ANY: EntryFilter = { kind: "and", operands: [] };

/** Converts a comparison with a date to a condition. */
export function dateFilter(comparator: Comparator, value: Literal): EntryFilter {
  if (comparator === ":" && value.text === "*") return ANY;
  return { kind: "day", comparison: comparator === ":" ? "=" : comparator, day: readDay(value) };
}

function readDay({ text, at }: Literal): Day {
  const [, ...parts] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  const [year = 0, month = 0, dayOfMonth = 0] = parts.map(Number);
  const day = dayOfCivil(year, month, dayOfMonth);
  const real = civilDate(day);
  if (year > 0 && real.year === year && real.month === month && real.day === dayOfMonth) return day;
  throw new FilterError(at, `"${printable(text)}" is not a calendar date in the form "YYYY-MM-DD"`);
}

/** Converts a comparison with a label to a condition. */
export function labelFilter(
  comparator: Comparator,
  { text, at }: Literal,
  wildcards: Wildcards,
): EntryFilter {
  // `:*` tests whether a field is present, which means that it does not have its default value (AIP-160).
  if (comparator === ":" && text === "*") return { kind: "label", comparison: "!=", label: "" };
  const comparison = comparator === ":" ? "=" : comparator;
  const pieces = text.split(/\*+/);
  if (pieces.length === 1) return { kind: "label", comparison, label: text };
  if (comparison !== "=" && comparison !== "!=")
    throw new FilterError(at, `"*" is a wildcard only with "=", "!=" and ":", not with "${comparison}"`);
  wildcards.left -= pieces.length - 1;
  if (wildcards.left < 0) throw new FilterError(at, `a filter may have at most ${MAX_WILDCARDS} wildcards`);
  const pattern: EntryFilter = { kind: "pattern", pieces };
  return comparison === "=" ? pattern : { kind: "not", operand: pattern };
}

/** Evaluates a filter outside a store. */
export function matches(filter: EntryFilter, entry: { readonly day: Day; readonly label: string }): boolean {
  switch (filter.kind) {
    case "and":
      return filter.operands.every((operand) => matches(operand, entry));
    case "or":
      return filter.operands.some((operand) => matches(operand, entry));
    case "not":
      return !matches(filter.operand, entry);
    case "day":
      return holds(filter.comparison, entry.day - filter.day);
    case "label":
      return holds(filter.comparison, byBytes(entry.label, filter.label));
    case "pattern":
      return consistsOf(entry.label, filter.pieces);
  }
}

/**
 * Returns true if a comparison is true.
 *
 * @param difference negative if the first value is less than the second, 0 if they are equal.
 */
function holds(comparison: Comparison, difference: number): boolean {
  switch (comparison) {
    case "=":
      return difference === 0;
    case "!=":
      return difference !== 0;
    case "<":
      return difference < 0;
    case "<=":
      return difference <= 0;
    case ">":
      return difference > 0;
    case ">=":
      return difference >= 0;
  }
}

/**
 * Returns true if a string consists of these pieces, with any text in between. Each piece matches at its first
 * occurrence, because this leaves the most text for the following pieces.
 */
function consistsOf(text: string, pieces: readonly string[]): boolean {
  const first = at(pieces, 0);
  const last = at(pieces, pieces.length - 1);
  let from = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, from);
    if (found < 0) return false;
    from = found + piece.length;
  }
  return text.startsWith(first) && text.endsWith(last) && from + last.length <= text.length;
}
