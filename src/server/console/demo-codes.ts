import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "../../model/clock.js";

/** Lifetime of a code, in milliseconds. */
const LIFETIME_MS = 3_600_000;
const CODE_BYTES = 24;

/** Single-use sign-in codes that expire after an hour and live in this process only. */
export class DemoCodes {
  /** Monotonic: setting the system's clock must not extend a code. */
  readonly #now: () => number;
  /** Expiry of each code by its digest: lookup time then reveals nothing about how close a guess was. */
  readonly #ends = new Map<string, number>();

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#now = () => clock.monotonic();
  }

  /** Issues a new URL-safe code. */
  issue(): string {
    const code = randomBytes(CODE_BYTES).toString("base64url");
    this.#ends.set(digestOf(code), this.#now() + LIFETIME_MS);
    return code;
  }

  /** Uses up a code. @returns true if it was valid. */
  redeem(code: string): boolean {
    const digest = digestOf(code);
    const end = this.#ends.get(digest);
    this.#ends.delete(digest);
    return end !== undefined && this.#now() < end;
  }
}

const digestOf = (code: string): string => createHash("sha256").update(code).digest("base64url");
