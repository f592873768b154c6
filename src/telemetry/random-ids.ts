import { randomBytes } from "node:crypto";
import type { IdGenerator } from "@opentelemetry/sdk-trace-base";

/** Number of random bytes that are read and formatted together. */
const BYTES_AT_ONCE = 4_096;

/**
 * Creates random trace ids and span ids. Each call needs both, even if it is not sampled. The SDK formats them one by
 * one, which costs about 3 % of a `get`. An id of zeros would be invalid, but its probability is 2^-64.
 */
export class RandomIds implements IdGenerator {
  #digits = "";
  #position = 0;

  generateTraceId(): string {
    return this.#next(32);
  }

  generateSpanId(): string {
    return this.#next(16);
  }

  #next(length: number): string {
    if (this.#position + length > this.#digits.length) {
      this.#digits = randomBytes(BYTES_AT_ONCE).toString("hex");
      this.#position = 0;
    }
    const start = this.#position;
    this.#position += length;
    return this.#digits.slice(start, this.#position);
  }
}
