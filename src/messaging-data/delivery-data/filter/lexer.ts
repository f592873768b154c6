export class FilterError extends Error {
  override readonly name = "FilterError";
  /** Index of the invalid character in the filter. */
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

/** Comparison operator. `:` is the "has" operator (AIP-160). */
export type Comparator = "=" | "!=" | "<" | "<=" | ">" | ">=" | ":";

export interface Token {
  /** Kind of token. `text` is a name, a keyword or an unquoted value. `string` is a quoted value. */
  readonly kind: "text" | "string" | Comparator | "-" | "(" | ")" | "," | "end";
  /** Text of the token as in the filter. For a `string`, the text between the quotes, with escapes resolved. */
  readonly text: string;
  /** Indexes of the token's first character and of the character after its last. */
  readonly start: number;
  readonly end: number;
}

const WHITE_SPACE = " \t\r\n";
const QUOTES = "\"'";
const PUNCTUATION = "()=!<>:,";
const COMPARATORS: ReadonlySet<string> = new Set<Comparator>(["=", "!=", "<", "<=", ">", ">=", ":"]);

/** Returns true if a token is a comparator. */
export const isComparator = (kind: Token["kind"]): kind is Comparator => COMPARATORS.has(kind);

/** Removes the white space around a filter. Unlike `String.trim`, it treats other Unicode spaces as text. */
export function trim(filter: string): string {
  let start = 0;
  let end = filter.length;
  while (start < end && WHITE_SPACE.includes(filter.charAt(start))) start++;
  while (start < end && WHITE_SPACE.includes(filter.charAt(end - 1))) end--;
  return filter.slice(start, end);
}

/**
 * Splits a filter into tokens. The last token is `end`. A dot is part of the surrounding text, because no field has
 * subfields. A minus is part of the value if it follows a comparator, and a separate token elsewhere.
 *
 * @throws FilterError if a quote, an escape or `!` is invalid.
 */
export function tokenize(filter: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < filter.length; ) {
    const character = filter.charAt(at);
    if (WHITE_SPACE.includes(character)) {
      at++;
      continue;
    }
    const token = readToken(filter, at, isComparator(tokens.at(-1)?.kind ?? "end"));
    tokens.push(token);
    at = token.end;
  }
  return [...tokens, { kind: "end", text: "", start: filter.length, end: filter.length }];
}

function readToken(filter: string, start: number, afterComparator: boolean): Token {
  const character = filter.charAt(start);
  if (QUOTES.includes(character)) return readString(filter, start);
  if (PUNCTUATION.includes(character)) return readPunctuation(filter, start);
  if (character === "-" && !afterComparator) return { kind: "-", text: "-", start, end: start + 1 };
  let end = start;
  while (end < filter.length && !`${WHITE_SPACE}${QUOTES}${PUNCTUATION}`.includes(filter.charAt(end))) end++;
  return { kind: "text", text: filter.slice(start, end), start, end };
}

function readPunctuation(filter: string, start: number): Token {
  const two = filter.slice(start, start + 2);
  const text = COMPARATORS.has(two) ? two : two.charAt(0);
  if (text === "!") throw new FilterError(start, '"!" is only valid in "!="; negate with NOT or -');
  return { kind: text as Token["kind"], text, start, end: start + text.length };
}

function readString(filter: string, start: number): Token {
  const quote = filter.charAt(start);
  let text = "";
  for (let at = start + 1; at < filter.length; at++) {
    const character = filter.charAt(at);
    if (character === quote) return { kind: "string", text, start, end: at + 1 };
    if (character !== "\\") {
      text += character;
      continue;
    }
    const escaped = filter.charAt(++at);
    if (escaped === "" || !`${QUOTES}\\`.includes(escaped))
      throw new FilterError(at - 1, "a backslash must be followed by a quote or another backslash");
    text += escaped;
  }
  throw new FilterError(start, "the quote is not closed");
}
