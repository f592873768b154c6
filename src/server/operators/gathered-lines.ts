/** Longest time that a line waits for others, in milliseconds. */
const GATHERING_MS = 20;

/** A destination of text. */
export interface TextDestination {
  write(text: string): unknown;
  /** Writes what was not written yet, and returns when it is. */
  flushSync(): void;
}

/**
 * Gathers the lines of a log for a moment, and writes them together: under load, writing each by itself takes
 * longer than all else about it.
 */
export class GatheredLines implements TextDestination {
  readonly #destination: TextDestination;
  #lines: string[] = [];

  constructor(destination: TextDestination) {
    this.#destination = destination;
  }

  /** Writes the lines that wait when the process exits. */
  flushAtExit(): this {
    process.once("exit", () => this.flushSync());
    return this;
  }

  write(line: string): void {
    if (this.#lines.push(line) === 1) setTimeout(() => this.#pass(), GATHERING_MS).unref();
  }

  flushSync(): void {
    this.#pass();
    this.#destination.flushSync();
  }

  #pass(): void {
    if (this.#lines.length === 0) return;
    const text = this.#lines.join("");
    this.#lines = [];
    this.#destination.write(text);
  }
}
