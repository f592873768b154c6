import { printable } from "../../../limits/excerpt.js";
import { type Comparator, FilterError, isComparator, type Token, tokenize } from "./lexer.js";

/** An expression as in AIP-160. `at` is the expression's offset in the filter. */
export type Expression = Junction | Negation | Restriction | Literal;

/** `a AND b`, `a b` or `a OR b`, with two or more operands. */
export interface Junction {
  readonly kind: "and" | "or";
  readonly operands: readonly Expression[];
  readonly at: number;
}

export interface Negation {
  readonly kind: "not";
  readonly operand: Expression;
  readonly at: number;
}

/** `date = "2025-03-01"`: compares a name with a value, or with an expression that consists of values. */
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

/** Maximum depth of nested parentheses. */
const MAX_DEPTH = 20;
/** Maximum number of comparisons and values. */
const MAX_TERMS = 50;

const KEYWORDS = ["AND", "OR", "NOT"];

/**
 * Parses a filter by the grammar of AIP-160. `OR` binds tighter than `AND`. Adjacent factors are joined by `AND`.
 *
 * @returns `undefined` if the filter is blank.
 * @throws FilterError if the filter is malformed or exceeds a limit.
 */
export function parseFilter(filter: string): Expression | undefined {
  return new Parser(tokenize(filter)).parse();
}

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;
  #terms = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): Expression | undefined {
    if (this.#peek().kind === "end") return undefined;
    const expression = this.#expression();
    const { kind, text, start } = this.#peek();
    if (kind === ")") throw new FilterError(start, 'this ")" has no matching "("');
    if (kind !== "end") throw new FilterError(start, `"${printable(text)}" is unexpected here`);
    return expression;
  }

  #peek(): Token {
    return this.#tokens[this.#next] as Token;
  }

  #take(): Token {
    return this.#tokens[this.#next++] as Token;
  }

  #isKeyword(keyword: string): boolean {
    const { kind, text } = this.#peek();
    return kind === "text" && text === keyword;
  }

  /** Parses `sequence {AND sequence}`. A sequence is a conjunction, too. */
  #expression(): Expression {
    const at = this.#peek().start;
    const operands = [this.#factor()];
    for (;;) {
      if (this.#isKeyword("AND")) this.#take();
      else if (!this.#startsFactor()) break;
      operands.push(this.#factor());
    }
    return junction("and", operands, at);
  }

  #startsFactor(): boolean {
    return ["text", "string", "-", "("].includes(this.#peek().kind);
  }

  /** Parses `term {OR term}`. */
  #factor(): Expression {
    const at = this.#peek().start;
    const operands = [this.#term()];
    while (this.#isKeyword("OR")) {
      this.#take();
      operands.push(this.#term());
    }
    return junction("or", operands, at);
  }

  /** Parses `[NOT | -] simple`. */
  #term(): Expression {
    if (this.#peek().kind !== "-" && !this.#isKeyword("NOT")) return this.#simple();
    const { start } = this.#take();
    return { kind: "not", operand: this.#simple(), at: start };
  }

  /** Parses `restriction | composite`. */
  #simple(): Expression {
    if (this.#peek().kind === "(") return this.#composite();
    if (++this.#terms > MAX_TERMS)
      throw new FilterError(
        this.#peek().start,
        `a filter may have at most ${MAX_TERMS} comparisons and values`,
      );
    const literal = this.#literal("a comparison");
    const comparator = this.#peek().kind;
    if (!isComparator(comparator)) return literal;
    this.#take();
    const argument = this.#peek().kind === "(" ? this.#composite() : this.#literal("a value");
    return { kind: "restriction", name: literal, comparator, argument, at: literal.at };
  }

  #composite(): Expression {
    const { start } = this.#take();
    if (++this.#depth > MAX_DEPTH)
      throw new FilterError(start, `parentheses may be nested at most ${MAX_DEPTH} deep`);
    const expression = this.#expression();
    const last = this.#take();
    if (last.kind === "end") throw new FilterError(start, 'this "(" is not closed');
    if (last.kind !== ")") throw new FilterError(last.start, `"${printable(last.text)}" is unexpected here`);
    this.#depth--;
    return expression;
  }

  #literal(expected: string): Literal {
    const { kind, text, start, end } = this.#take();
    if (kind === "end") throw new FilterError(start, `${expected} is missing at the end`);
    if ((kind !== "text" && kind !== "string") || (kind === "text" && KEYWORDS.includes(text)))
      throw new FilterError(start, `${expected} is missing before "${printable(text)}"`);
    const next = this.#peek();
    if (kind === "text" && next.kind === "(" && next.start === end)
      throw new FilterError(start, "functions are not supported");
    return { kind: "literal", text, quoted: kind === "string", at: start };
  }
}

function junction(kind: "and" | "or", operands: readonly Expression[], at: number): Expression {
  const [only, ...others] = operands;
  return others.length === 0 && only !== undefined ? only : { kind, operands, at };
}
