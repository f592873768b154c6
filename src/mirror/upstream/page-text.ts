import { at } from "../../model/collections.js";

/** Matches whitespace in JSON (RFC 8259 §2). */
const WHITESPACE = "[ \\t\\n\\r]*";

/** Whether JSON has whitespace between its tokens. */
export type Spacing = "compact" | "spaced";

/** Creates a pattern for {@link PageText.match} from patterns of JSON tokens. */
export function tokensPattern(tokens: readonly string[], spacing: Spacing = "spaced"): RegExp {
  return new RegExp(tokens.join(spacing === "spaced" ? WHITESPACE : ""), "y");
}

/** Matches the first member of an object without whitespace. */
const COMPACT = /\{"\w+":\S/y;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** A page as text, and a position up to which it has been read. */
export class PageText {
  readonly #text: string;
  /** True if all characters are ASCII. Otherwise, copies of its parts may need two bytes for each character. */
  readonly isAscii: boolean;
  position = 0;

  private constructor(text: string, isAscii: boolean) {
    this.#text = text;
    this.isAscii = isAscii;
  }

  /** Decodes a body. @returns `undefined` if it is not UTF-8. */
  static of(body: Uint8Array): PageText | undefined {
    try {
      const text = new TextDecoder("utf-8", { fatal: true }).decode(body);
      return new PageText(text, text.length === body.length);
    } catch {
      return undefined;
    }
  }

  /** Spacing of the object at the position, by its first member. */
  get spacing(): Spacing {
    COMPACT.lastIndex = this.position;
    return COMPACT.test(this.#text) ? "compact" : "spaced";
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
   * Parses the object at the position, and moves after it. The end need not be exact for invalid JSON, because no
   * beginning of an object is itself an object.
   *
   * @returns `undefined` if it is invalid.
   */
  parseObject(): unknown {
    const start = this.position;
    this.position = this.#endOfObject();
    return parsed(this.#text.slice(start, this.position));
  }

  /** Parses the remaining members of an object. @param start JSON of the object up to the position. */
  parseRest(start: string): unknown {
    return parsed(start + this.#text.slice(this.position));
  }

  #endOfObject(): number {
    const text = this.#text;
    let depth = 0;
    let isInString = false;
    for (let i = this.position; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === QUOTE) isInString = !isInString;
      else if (isInString) i += code === BACKSLASH ? 1 : 0;
      else if (code === OPENING_BRACE) depth++;
      else if (code === CLOSING_BRACE && --depth === 0) return i + 1;
    }
    return text.length;
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Copies a part of a text. A part that is not copied would keep the whole text in memory. */
export const copyOf = (match: ArrayLike<string>, index: number): string => ` ${at(match, index)}`.slice(1);
