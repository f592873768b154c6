import { printable } from "../../../limits/excerpt.js";
import { civilDate, type Day, dayOfCivil } from "../../../model/day.js";
import type { EntryFilter } from "../../../store/delivery-data-store.js";
import { FilterError } from "./filter-error.js";
import type { Wildcards } from "./filter-language.js";
import type { Comparator } from "./lexer.js";
import type { Literal } from "./syntax-tree.js";

/** Maximum number of wildcards in a filter: searching every label for many pieces is slow. */
export const MAX_WILDCARDS = 20;

/** Matches every entry, since all have a date. */
const ANY: EntryFilter = { kind: "and", operands: [] };

/** The condition on a day that a comparison of a date states. */
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
  throw new FilterError(at, `"${printable(text)}" is not a date of the calendar in the form "YYYY-MM-DD"`);
}

/** The condition on a label that a comparison of it states. */
export function labelFilter(
  comparator: Comparator,
  { text, at }: Literal,
  wildcards: Wildcards,
): EntryFilter {
  // `:*` tests for presence: a field is present if it is not at its default (AIP-160).
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
