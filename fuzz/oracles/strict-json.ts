/** A JSON value that keeps every key of an object, even duplicates. */
export type StrictJson =
  | { readonly kind: "null" }
  | { readonly kind: "boolean"; readonly value: boolean }
  /** `value` is the number's text. */
  | { readonly kind: "number"; readonly value: string }
  | { readonly kind: "string"; readonly value: string }
  | { readonly kind: "array"; readonly value: readonly StrictJson[] }
  | { readonly kind: "object"; readonly value: readonly (readonly [key: string, value: StrictJson])[] };

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" },
};

/**
 * Reads JSON by the grammar of RFC 8259, without `JSON.parse`. @returns undefined if the text is not JSON.
 */
export function readStrictJson(text: string): StrictJson | undefined {
  const reader = new Reader(text);
  try {
    return reader.readAll();
  } catch (error) {
    if (error === NOT_JSON) return undefined;
    throw error;
  }
}

const NOT_JSON = new Error("not JSON");

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readAll(): StrictJson {
    const value = this.#value();
    this.#match(/[ \t\r\n]*/y);
    if (this.#at < this.#text.length) throw NOT_JSON;
    return value;
  }

  #value(): StrictJson {
    this.#match(/[ \t\r\n]*/y);
    switch (this.#text[this.#at]) {
      case "{":
        return { kind: "object", value: this.#list("}", () => this.#member()) };
      case "[":
        return { kind: "array", value: this.#list("]", () => this.#value()) };
      case '"':
        return { kind: "string", value: this.#string() };
      default: {
        const word = this.#match(/null|true|false|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y);
        if (word === "null") return { kind: "null" };
        if (word === "true" || word === "false") return { kind: "boolean", value: word === "true" };
        return { kind: "number", value: word };
      }
    }
  }

  /** Reads comma-separated items up to the closing bracket. */
  #list<T>(close: string, item: () => T): T[] {
    this.#at++;
    this.#match(/[ \t\r\n]*/y);
    const items: T[] = [];
    if (this.#text[this.#at] === close) {
      this.#at++;
      return items;
    }
    for (;;) {
      items.push(item());
      const next = this.#match(/[ \t\r\n]*[,}\]]/y).at(-1);
      if (next === close) return items;
      if (next !== ",") throw NOT_JSON;
    }
  }

  #member(): readonly [string, StrictJson] {
    this.#match(/[ \t\r\n]*(?=")/y);
    const key = this.#string();
    this.#match(/[ \t\r\n]*:/y);
    return [key, this.#value()];
  }

  #string(): string {
    const raw = this.#match(/"(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y).slice(1, -1);
    for (const character of raw) if (character < " ") throw NOT_JSON;
    return raw.replace(/\\(?:u(.{4})|(.))/g, (_, hex?: string, letter = "") =>
      hex === undefined ? (ESCAPES[letter] ?? "") : String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const text = pattern.exec(this.#text)?.[0];
    if (text === undefined) throw NOT_JSON;
    this.#at = pattern.lastIndex;
    return text;
  }
}
