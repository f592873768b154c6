import { FilterError } from "./filter-error.js";

/** How a field is compared; `:` is "has" (AIP-160). */
export type Comparator = "=" | "!=" | "<" | "<=" | ">" | ">=" | ":";

/** A word of a filter. */
export interface Token {
  /** `text` is a name, a keyword or a value without quotes; `string` a value in quotes. */
  readonly kind: "text" | "string" | Comparator | "-" | "(" | ")" | "," | "end";
  /** As it stands in the filter; of a `string` what is between the quotes, without escapes. */
  readonly text: string;
  /** Index of its first character, and of the one behind it. */
  readonly start: number;
  readonly end: number;
}

const WHITE_SPACE = " \t\r\n";
const QUOTES = "\"'";
const PUNCTUATION = "()=!<>:,";
const COMPARATORS: ReadonlySet<string> = new Set<Comparator>(["=", "!=", "<", "<=", ">", ">=", ":"]);

/** Whether a token compares. */
export const isComparator = (kind: Token["kind"]): kind is Comparator => COMPARATORS.has(kind);

/** A filter without the white space around it. What else a platform calls white space is a part of a text here. */
export function trim(filter: string): string {
  let start = 0;
  let end = filter.length;
  while (start < end && WHITE_SPACE.includes(filter.charAt(start))) start++;
  while (start < end && WHITE_SPACE.includes(filter.charAt(end - 1))) end--;
  return filter.slice(start, end);
}

/**
 * Takes a filter apart into its words, of which the last is the end. A dot is a part of the text around it, as no field
 * here has fields of its own; a minus is too where a value stands, and a word of its own elsewhere.
 *
 * @throws FilterError
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
  if (text === "!") throw new FilterError(start, '"!" compares only as "!="; negate with NOT or -');
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
      throw new FilterError(at - 1, "a backslash stands only before a quote or another backslash");
    text += escaped;
  }
  throw new FilterError(start, "the quote is not closed");
}
