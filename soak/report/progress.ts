/** Shows on stderr how far a run is: a line that changes on a terminal, plain lines elsewhere. */
export class Progress {
  readonly #output = process.stderr;
  #shown = false;

  /** Replaces the changing line; elsewhere than on a terminal nobody sees it. */
  update(text: string): void {
    if (!this.#output.isTTY) return;
    this.#output.write(`\r\u001b[K${text.slice(0, this.#output.columns - 1)}`);
    this.#shown = true;
  }

  /** Adds a line that stays. */
  tell(text: string): void {
    this.#output.write(`${this.#shown ? "\r\u001b[K" : ""}${text}\n`);
    this.#shown = false;
  }
}
