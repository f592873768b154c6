/** Shows a running count on a terminal once a second. Work that takes less than a second shows no count. */
export class CountingNote {
  readonly #what: string;
  readonly #timer: NodeJS.Timeout;
  #shown = false;
  count = 0;

  constructor(what: string) {
    this.#what = what;
    this.#timer = setInterval(() => {
      this.#shown = true;
      process.stderr.write(`\r${this.count} ${this.#what}`);
    }, 1000);
  }

  /** Stops counting and clears the line. */
  end(): void {
    clearInterval(this.#timer);
    if (this.#shown) process.stderr.write("\r\x1b[K");
  }
}
