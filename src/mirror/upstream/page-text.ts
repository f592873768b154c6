import { at } from "../../model/collections.js";

/** Matches whitespace in JSON (RFC 8259 §2). */
const WHITESPACE = "[ \\t\\n\\r]*";

/** Matches a string in JSON without escape sequences. Captures its content. */
export const PLAIN_STRING = '"([^"\\\\\\x00-\\x1f]*)"';

/** Whether JSON has whitespace between its tokens. */
export type Spacing = "compact" | "spaced";

/** Creates a pattern for {@link PageText.match} from patterns of JSON tokens. */
export function tokensPattern(tokens: readonly string[], spacing: Spacing = "spaced"): RegExp {
  return new RegExp(tokens.join(spacing === "spaced" ? WHITESPACE : ""), "y");
}

const QUOTE = 0x22;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** A page as text, and a position up to which it has been read. */
export class PageText {
  readonly #text: string;
  position = 0;

  private constructor(text: string) {
    this.#text = text;
  }

  /** Decodes a body. @returns `undefined` if it is not UTF-8. */
  static of(body: Uint8Array): PageText | undefined {
    try {
      return new PageText(new TextDecoder("utf-8", { fatal: true }).decode(body));
    } catch {
      return undefined;
    }
  }

  /** Spacing of the object at the position. */
  get spacing(): Spacing {
    return this.#text.charCodeAt(this.position + 1) === QUOTE ? "compact" : "spaced";
  }

  /** Matches a pattern at the position, and moves after the match. @returns `undefined` if the pattern does not match. */
  match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.position = pattern.lastIndex;
    return found;
  }

  /**
   * Parses the object at the position, and moves after it.
   *
   * @returns `undefined` if it is invalid, or contains an escaped quotation mark.
   */
  parseObject(): unknown {
    const start = this.position;
    this.position = this.#endOfObject();
    try {
      return JSON.parse(this.#text.slice(start, this.position));
    } catch {
      return undefined;
    }
  }

  #endOfObject(): number {
    const text = this.#text;
    let depth = 0;
    let isInString = false;
    for (let i = this.position; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === QUOTE) isInString = !isInString;
      else if (!isInString && code === OPENING_BRACE) depth++;
      else if (!isInString && code === CLOSING_BRACE && --depth === 0) return i + 1;
    }
    return text.length;
  }
}

/** Copies a part of a text. A part that is not copied would keep the whole text in memory. */
export const copyOf = (match: ArrayLike<string>, index: number): string => ` ${at(match, index)}`.slice(1);
