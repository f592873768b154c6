/** How many there are so far, told on a terminal once a second; what is done sooner needs no note. */
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

  /** Takes the note away. */
  end(): void {
    clearInterval(this.#timer);
    if (this.#shown) process.stderr.write("\r\x1b[K");
  }
}
