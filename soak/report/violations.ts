/** Maximum number of violations quoted in the report; further ones are only counted. */
const MAX_QUOTED = 40;
/** Maximum length of a quoted violation, in characters. */
const MAX_TEXT = 600;

export class Violations {
  readonly #quoted: string[] = [];
  readonly #onQuoted: (text: string) => void;
  #count = 0;

  /** @param onQuoted called with each quoted violation when it happens. */
  constructor(onQuoted: (text: string) => void) {
    this.#onQuoted = onQuoted;
  }

  get count(): number {
    return this.#count;
  }

  get quoted(): readonly string[] {
    return this.#quoted;
  }

  add(text: string): void {
    this.#count += 1;
    if (this.#quoted.length === MAX_QUOTED) return;
    const quoted = text.slice(0, MAX_TEXT);
    this.#quoted.push(quoted);
    this.#onQuoted(quoted);
  }
}
