import { AndroidDeliveryDataSchema } from "../../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { civilDate, type Day, dayOfCivil } from "../../../model/day.js";
import type { EntryFilter } from "../../../store/entry-filter.js";
import { printable } from "../../printable.js";
import { FilterError } from "./filter-error.js";
import type { Comparator } from "./lexer.js";
import type { Expression, Literal, Restriction } from "./syntax-tree.js";

/** Maximum number of wildcards in a filter: searching every label for many pieces is slow. */
const MAX_WILDCARDS = 20;

const { date, analyticsLabel } = AndroidDeliveryDataSchema.field;

/** Names of the fields that filters can compare: those of JSON and those of the contract. */
const DATE_NAMES = [date.jsonName, date.name];
const LABEL_NAMES = [analyticsLabel.jsonName, analyticsLabel.name];

/** A field and its comparator, applicable to any value. */
interface Comparison {
  readonly name: Literal;
  readonly comparator: Comparator;
  conditionOf(value: Literal): EntryFilter;
}

/**
 * Converts an expression to a condition.
 *
 * @throws FilterError if the expression is not a valid comparison.
 */
export function conditionOf(expression: Expression): EntryFilter {
  const wildcards = { left: MAX_WILDCARDS };
  return check(expression, undefined, wildcards);
}

/** Number of wildcards still allowed. */
interface Wildcards {
  left: number;
}

/** @param comparison the comparison that literals belong to, inside the parentheses after a comparator. */
function check(
  expression: Expression,
  comparison: Comparison | undefined,
  wildcards: Wildcards,
): EntryFilter {
  switch (expression.kind) {
    case "and":
    case "or": {
      const operands = expression.operands.map((operand) => check(operand, comparison, wildcards));
      return { kind: expression.kind, operands };
    }
    case "not":
      return { kind: "not", operand: check(expression.operand, comparison, wildcards) };
    case "restriction": {
      if (comparison !== undefined)
        throw new FilterError(
          expression.at,
          `"${comparison.name.text}" can only be compared with values, not with comparisons`,
        );
      return check(expression.argument, comparisonOf(expression, wildcards), wildcards);
    }
    case "literal":
      if (comparison === undefined) throw bareLiteral(expression);
      return comparison.conditionOf(expression);
  }
}

function comparisonOf({ name, comparator, argument }: Restriction, wildcards: Wildcards): Comparison {
  if (comparator === "!=" && argument.kind !== "literal")
    throw new FilterError(argument.at, '"!=" takes one value; write NOT and "=" for several');
  if (!name.quoted && DATE_NAMES.includes(name.text))
    return { name, comparator, conditionOf: (value) => dateCondition(comparator, value) };
  if (!name.quoted && LABEL_NAMES.includes(name.text))
    return { name, comparator, conditionOf: (value) => labelCondition(comparator, value, wildcards) };
  throw new FilterError(
    name.at,
    name.quoted
      ? "a comparison begins with the name of a field, without quotes"
      : `there is no field "${printable(name.text)}" to filter by; use ${DATE_NAMES[0]} or ${LABEL_NAMES[0]}`,
  );
}

function bareLiteral({ text, quoted, at }: Literal): FilterError {
  const keyword = text.toUpperCase();
  if (!quoted && ["AND", "OR", "NOT"].includes(keyword))
    return new FilterError(at, `write ${keyword} in capital letters`);
  return new FilterError(at, `"${printable(text)}" is not part of a comparison`);
}

/** Matches every entry, since all have a date. */
const ANY: EntryFilter = { kind: "and", operands: [] };

function dateCondition(comparator: Comparator, value: Literal): EntryFilter {
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

function labelCondition(comparator: Comparator, { text, at }: Literal, wildcards: Wildcards): EntryFilter {
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
