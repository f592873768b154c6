import type { Comparator } from "./lexer.js";

/** An expression of AIP-160, as written. `at` is the index of its first character in the filter. */
export type Expression = Junction | Negation | Restriction | Literal;

/** `a AND b`, `a b` or `a OR b`, with two or more operands. */
export interface Junction {
  readonly kind: "and" | "or";
  readonly operands: readonly Expression[];
  readonly at: number;
}

/** `NOT a` or `-a`. */
export interface Negation {
  readonly kind: "not";
  readonly operand: Expression;
  readonly at: number;
}

/** `date = "2025-03-01"`: a name compared with a value, or with an expression of values. */
export interface Restriction {
  readonly kind: "restriction";
  readonly name: Literal;
  readonly comparator: Comparator;
  readonly argument: Expression;
  readonly at: number;
}

/** A single name or value. */
export interface Literal {
  readonly kind: "literal";
  readonly text: string;
  readonly quoted: boolean;
  readonly at: number;
}
