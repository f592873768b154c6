/** Violations that the report quotes; of further ones it tells the number. */
const MAX_QUOTED = 40;
/** Characters of one that are quoted. */
const MAX_TEXT = 600;

/** What a server that keeps its promises never does. */
export class Violations {
  readonly #quoted: string[] = [];
  readonly #onQuoted: (text: string) => void;
  #count = 0;

  /** @param onQuoted told of each violation that is quoted, when it happens. */
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
