import type { Comparator } from "./lexer.js";
import type { Literal } from "./syntax-tree.js";

/** Number of wildcards that a filter may still have. */
export interface Wildcards {
  left: number;
}

/** A field that filters can compare, and what a comparison of it means. */
export interface FilterField<Condition> {
  /** Its names: that of JSON, then that of the contract if it is another one. */
  readonly names: readonly string[];
  /** @throws FilterError if the field cannot be compared with the value. */
  conditionOf(comparator: Comparator, value: Literal, wildcards: Wildcards): Condition;
}

/** The fields of what a filter selects, and the form of its conditions. */
export interface FilterLanguage<Condition> {
  readonly fields: readonly FilterField<Condition>[];
  /** Holds if all operands hold; without operands, always. */
  and(operands: readonly Condition[]): Condition;
  /** Holds if an operand holds. */
  or(operands: readonly Condition[]): Condition;
  not(operand: Condition): Condition;
}

/** The names of a field of the contract in filters. */
export const namesOf = ({
  jsonName,
  name,
}: {
  readonly jsonName: string;
  readonly name: string;
}): string[] => (jsonName === name ? [name] : [jsonName, name]);
