import { printable } from "../../../limits/excerpt.js";
import { MAX_WILDCARDS } from "./field-filters.js";
import { FilterError } from "./filter-error.js";
import type { FilterField, FilterLanguage, Wildcards } from "./filter-language.js";
import type { Expression, Literal, Restriction } from "./syntax-tree.js";

/** A field and its comparator, applicable to any value. */
interface Comparison<Condition> {
  readonly name: Literal;
  conditionOf(value: Literal): Condition;
}

/**
 * Converts an expression to a condition.
 *
 * @throws FilterError if the expression is not a valid comparison.
 */
export function conditionOf<Condition>(
  expression: Expression,
  language: FilterLanguage<Condition>,
): Condition {
  const wildcards = { left: MAX_WILDCARDS };
  return check(expression, language, undefined, wildcards);
}

/** @param comparison the comparison that literals belong to, inside the parentheses after a comparator. */
function check<Condition>(
  expression: Expression,
  language: FilterLanguage<Condition>,
  comparison: Comparison<Condition> | undefined,
  wildcards: Wildcards,
): Condition {
  switch (expression.kind) {
    case "and":
    case "or":
      return language[expression.kind](
        expression.operands.map((operand) => check(operand, language, comparison, wildcards)),
      );
    case "not":
      return language.not(check(expression.operand, language, comparison, wildcards));
    case "restriction":
      if (comparison !== undefined)
        throw new FilterError(
          expression.at,
          `"${comparison.name.text}" can only be compared with values, not with comparisons`,
        );
      return check(
        expression.argument,
        language,
        comparisonOf(expression, language.fields, wildcards),
        wildcards,
      );
    case "literal":
      if (comparison === undefined) throw bareLiteral(expression);
      return comparison.conditionOf(expression);
  }
}

function comparisonOf<Condition>(
  { name, comparator, argument }: Restriction,
  fields: readonly FilterField<Condition>[],
  wildcards: Wildcards,
): Comparison<Condition> {
  if (comparator === "!=" && argument.kind !== "literal")
    throw new FilterError(argument.at, '"!=" takes one value; write NOT and "=" for several');
  const field = name.quoted ? undefined : fields.find(({ names }) => names.includes(name.text));
  if (field === undefined) throw noField(name, fields);
  return { name, conditionOf: (value) => field.conditionOf(comparator, value, wildcards) };
}

function noField({ text, quoted, at }: Literal, fields: readonly FilterField<unknown>[]): FilterError {
  if (quoted) return new FilterError(at, "a comparison begins with the name of a field, without quotes");
  const known = fields.map(({ names: [name = ""] }) => name);
  const others = known.slice(0, -1).join(", ");
  return new FilterError(
    at,
    `there is no field "${printable(text)}" to filter by; use ${others} or ${known.at(-1)}`,
  );
}

function bareLiteral({ text, quoted, at }: Literal): FilterError {
  const keyword = text.toUpperCase();
  if (!quoted && ["AND", "OR", "NOT"].includes(keyword))
    return new FilterError(at, `write ${keyword} in capital letters`);
  return new FilterError(at, `"${printable(text)}" is not part of a comparison`);
}
