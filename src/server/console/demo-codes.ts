import { createHash, randomBytes } from "node:crypto";

/** How long a code can be used, in milliseconds. */
const LIFETIME_MS = 3_600_000;
const CODE_BYTES = 24;

/** Codes each of which is good once, for an hour, in this process. */
export class DemoCodes {
  readonly #now: () => number;
  /** When each code ends, by its digest: what is looked up tells nothing of how close a guess was. */
  readonly #ends = new Map<string, number>();

  /** @param now milliseconds since some fixed moment, never going back: a clock that is set must not prolong a code. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** A new code, fit for a URL. */
  issue(): string {
    const code = randomBytes(CODE_BYTES).toString("base64url");
    this.#ends.set(digestOf(code), this.#now() + LIFETIME_MS);
    return code;
  }

  /** Uses a code up. @returns whether it was good. */
  redeem(code: string): boolean {
    const digest = digestOf(code);
    const end = this.#ends.get(digest);
    this.#ends.delete(digest);
    return end !== undefined && this.#now() < end;
  }
}

const digestOf = (code: string): string => createHash("sha256").update(code).digest("base64url");
