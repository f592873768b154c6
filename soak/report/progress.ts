/** Shows a run's progress on stderr: a changing line on a terminal, plain lines elsewhere. */
export class Progress {
  readonly #output = process.stderr;
  #shown = false;

  /** Replaces the changing line; does nothing unless stderr is a terminal. */
  update(text: string): void {
    if (!this.#output.isTTY) return;
    this.#output.write(`\r\u001b[K${text.slice(0, this.#output.columns - 1)}`);
    this.#shown = true;
  }

  /** Adds a permanent line. */
  log(text: string): void {
    this.#output.write(`${this.#shown ? "\r\u001b[K" : ""}${text}\n`);
    this.#shown = false;
  }
}
