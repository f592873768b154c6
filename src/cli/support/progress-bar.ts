import { SingleBar } from "cli-progress";

/** Shows an operation's progress on a terminal. */
export class ProgressBar {
  readonly #bar: SingleBar;
  #done = 0;

  /** @param unit unit of the count, such as megabytes. */
  constructor(what: string, total: number, unit: { readonly name: string; readonly size: number }) {
    this.#bar = new SingleBar({
      format: `${what} {bar} {percentage}% | {value} of {total} ${unit.name}`,
      formatValue: (value, _options, type) =>
        type === "percentage" ? String(value) : String(Math.ceil(value / unit.size)),
      stream: process.stderr,
      noTTYOutput: false,
    });
    if (process.stderr.isTTY) this.#bar.start(total, 0);
  }

  /** Counts completed work. */
  add(count: number): void {
    this.#done += count;
    this.#bar.update(this.#done);
  }

  stop(): void {
    this.#bar.stop();
  }
}

/** Unit of a {@link ProgressBar} that counts bytes. */
export const MEGABYTES = { name: "MB", size: 1_000_000 } as const;

/** Shows a running count on a terminal, updated once a second. */
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
