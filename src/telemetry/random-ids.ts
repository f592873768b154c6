import { randomBytes } from "node:crypto";
import type { IdGenerator } from "@opentelemetry/sdk-trace-base";

/** Number of random bytes that are read and formatted together. */
const BYTES_AT_ONCE = 4_096;

/** Maximum number of trace ids that are created ahead. */
const MAX_SKIPPED = 256;

/**
 * Creates random trace ids and span ids. Each call needs a trace id, even if it is not sampled. The SDK formats ids one
 * by one, which costs about 3 % of a `get`. An id of zeros would be invalid, but its probability is 2^-64.
 */
export class RandomIds implements IdGenerator {
  #digits = "";
  #position = 0;
  /** Number of ids that were created and do not match, and the id after them. */
  #skipped = 0;
  #matching: string | undefined;
  #reserved: string | undefined;

  /**
   * Creates an id, and reserves it for the next trace if it matches a condition, which is always the same. Creates ids
   * ahead until one matches: several in a row cost less than one at a time.
   *
   * @returns whether it matches.
   */
  reserveTraceId(matches: (traceId: string) => boolean): boolean {
    while (this.#matching === undefined && this.#skipped < MAX_SKIPPED) {
      const traceId = this.#next(32);
      if (matches(traceId)) this.#matching = traceId;
      else this.#skipped++;
    }
    if (this.#skipped > 0) {
      this.#skipped--;
      return false;
    }
    this.#reserved = this.#matching;
    this.#matching = undefined;
    return true;
  }

  generateTraceId(): string {
    const traceId = this.#reserved ?? this.#next(32);
    this.#reserved = undefined;
    return traceId;
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
