import { createHash } from "node:crypto";

const BYTES_OF_NUMBER = 4;

/** Numbers that seem random, and are the same for the same names on every machine: SHA-256 of the names and a counter. */
export class Draws {
  readonly #names: string;
  #blocks = 0;
  #block = Buffer.alloc(0);
  #offset = 0;

  /** @param names what the numbers are for, such as a seed, an app and a day. */
  constructor(...names: readonly (string | number)[]) {
    this.#names = JSON.stringify(names);
  }

  /** Returns the next number, from 0 to below 1. */
  fraction(): number {
    if (this.#offset === this.#block.length) {
      this.#block = createHash("sha256")
        .update(`${this.#blocks++}${this.#names}`)
        .digest();
      this.#offset = 0;
    }
    const number = this.#block.readUInt32BE(this.#offset);
    this.#offset += BYTES_OF_NUMBER;
    return number / 2 ** 32;
  }
}
