import { pino } from "pino";

/** Longest time that a line waits for others, in milliseconds. A crash of the process loses those lines. */
const MAX_WAIT_MS = 20;

/** Room for the lines that wait, in bytes. */
const ROOM_BYTES = 64 * 1024;

/** Most bytes that a UTF-16 code unit takes in UTF-8. */
const MAX_UNIT_BYTES = 3;

/**
 * Writes log lines to stderr, those of a few milliseconds together: a write for each request would take about
 * as long as answering a small one. Lines that wait when the process exits are written first.
 */
export class LogLines {
  readonly #stderr;
  /** Lines are copied at once: as strings of many pieces, they would keep the garbage collector busy. */
  readonly #waiting = Buffer.allocUnsafeSlow(ROOM_BYTES);
  #length = 0;

  constructor() {
    // Before the listener of the destination, which writes what it has been given.
    process.once("exit", () => this.#pass());
    this.#stderr = pino.destination({ dest: 2, sync: false, minLength: 0 });
  }

  /** @param line a whole line, with its end. */
  write(line: string): void {
    const room = MAX_UNIT_BYTES * line.length;
    if (this.#length + room > ROOM_BYTES) this.#pass();
    if (room > ROOM_BYTES) {
      this.#stderr.write(line);
      return;
    }
    if (this.#length === 0) setTimeout(() => this.#pass(), MAX_WAIT_MS);
    this.#length += this.#waiting.write(line, this.#length);
  }

  #pass(): void {
    if (this.#length === 0) return;
    this.#stderr.write(this.#waiting.toString("utf8", 0, this.#length));
    this.#length = 0;
  }
}
