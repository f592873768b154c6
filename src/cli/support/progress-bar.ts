import { SingleBar } from "cli-progress";

/** Shows the share of some work that is done, on a terminal. */
export class ProgressBar {
  readonly #bar: SingleBar;
  #done = 0;

  /** @param unit number of bytes, rows or the like that is counted as one. */
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

  /** Adds to what is done. */
  add(count: number): void {
    this.#done += count;
    this.#bar.update(this.#done);
  }

  stop(): void {
    this.#bar.stop();
  }
}

/** A unit of {@link ProgressBar}. */
export const MEGABYTES = { name: "MB", size: 1_000_000 } as const;
