import { createHash } from "node:crypto";
import { ApiError } from "../../../api/api-error.js";
import { printable } from "../../../limits/excerpt.js";
import { type Comparator, FilterError, trim } from "./lexer.js";
import { type Expression, type Literal, parseFilter, type Restriction } from "./parser.js";

/** Maximum number of wildcards in a filter. Searching all labels for many pieces of text would be slow. */
export const MAX_WILDCARDS = 20;

/** Counts the wildcards that a filter may still contain. */
export interface Wildcards {
  left: number;
}

export interface FilterField<Condition> {
  /** Name in JSON, followed by the name in the contract if that differs. */
  readonly names: readonly string[];
  /** Converts a comparison to a condition. @throws FilterError if the field cannot be compared with the value. */
  conditionOf(comparator: Comparator, value: Literal, wildcards: Wildcards): Condition;
}

/** Fields that a filter can compare, and functions that combine conditions. */
export interface FilterLanguage<Condition> {
  readonly fields: readonly FilterField<Condition>[];
  /** Creates a condition that is true if all operands are true. Without operands, it is true. */
  and(operands: readonly Condition[]): Condition;
  /** Creates a condition that is true if at least one operand is true. */
  or(operands: readonly Condition[]): Condition;
  not(operand: Condition): Condition;
}

/** Returns the names that a contract field has in filters. */
export const namesOf = ({
  jsonName,
  name,
}: {
  readonly jsonName: string;
  readonly name: string;
}): string[] => (jsonName === name ? [name] : [jsonName, name]);

/** Maximum length of a filter, in characters. */
const MAX_LENGTH = 4_000;

export interface ListFilter<Condition> {
  readonly condition: Condition;
  /** Short digest of the filter text. */
  readonly digest: string;
}

/**
 * Parses a filter (AIP-160).
 *
 * @returns `undefined` if the filter is blank.
 * @throws ApiError `INVALID_FILTER` with the error position.
 */
export function readFilter<Condition>(
  text: string,
  language: FilterLanguage<Condition>,
): ListFilter<Condition> | undefined {
  const filter = trim(text);
  if (filter === "") return undefined;
  try {
    if (filter.length > MAX_LENGTH)
      throw new FilterError(MAX_LENGTH, `a filter may have at most ${MAX_LENGTH} characters`);
    const expression = parseFilter(text);
    if (expression === undefined) return undefined;
    return { condition: conditionOf(expression, language), digest: digestOf(filter) };
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    const position = [...text.slice(0, error.at)].length + 1;
    throw ApiError.invalidArgument("INVALID_FILTER", "filter", `at character ${position}: ${error.message}`);
  }
}

const digestOf = (filter: string): string =>
  createHash("sha256").update(filter).digest("base64url").slice(0, 22);

/** A field and a comparator, to be combined with a value. */
interface Comparison<Condition> {
  readonly name: Literal;
  conditionOf(value: Literal): Condition;
}

/** Converts an expression to a condition. @throws FilterError if the expression contains an invalid comparison. */
function conditionOf<Condition>(expression: Expression, language: FilterLanguage<Condition>): Condition {
  const wildcards = { left: MAX_WILDCARDS };
  return check(expression, language, undefined, wildcards);
}

/**
 * Converts an expression.
 *
 * @param comparison comparison for the literals within parentheses that follow a comparator.
 */
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
    throw new FilterError(argument.at, '"!=" accepts one value; use NOT and "=" for several');
  const field = name.quoted ? undefined : fields.find(({ names }) => names.includes(name.text));
  if (field === undefined) throw noField(name, fields);
  return { name, conditionOf: (value) => field.conditionOf(comparator, value, wildcards) };
}

function noField({ text, quoted, at }: Literal, fields: readonly FilterField<unknown>[]): FilterError {
  if (quoted) return new FilterError(at, "a comparison begins with a field name, without quotes");
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
