import { setTimeout as sleep } from "node:timers/promises";
import type { Disturbance } from "../faults/disturbance.js";
import type { Tally } from "../report/tally.js";
import type { Violations } from "../report/violations.js";
import { CallFailure } from "./call-failure.js";

/** Milliseconds within which every call ends, by an answer or without. */
const MAX_CALL = 60_000;
/** Milliseconds until a call that failed is made again. */
const PAUSE = 60;
/** Milliseconds without a fault after which a call that still fails ends the run. */
const MAX_PATIENCE = 300_000;

/** Failures that faults cause; the others are the server's own, whatever else goes on. */
const PASSING = new Set(["CONNECTION", "UNAVAILABLE"]);

/** Makes calls, counts how they ended, and finds the endings that must not be. */
export class Calls {
  readonly #tally: Tally;
  readonly #disturbance: Disturbance;
  readonly #violations: Violations;

  /** @param tally gets each call by its protocol and its ending. */
  constructor(tally: Tally, disturbance: Disturbance, violations: Violations) {
    this.#tally = tally;
    this.#disturbance = disturbance;
    this.#violations = violations;
  }

  /** Makes a call. @throws CallFailure if it fails in a way that may be; other errors are violations too. */
  async once<T>(
    protocol: string,
    what: string,
    call: () => Promise<T>,
    expected: readonly string[] = [],
  ): Promise<T> {
    const start = performance.now();
    try {
      const answer = await withinTime(call());
      this.#tally.add(protocol, "OK");
      return answer;
    } catch (error) {
      const failure =
        error instanceof CallFailure ? error : new CallFailure("MALFORMED", "", String(error), error);
      this.#tally.add(protocol, failure.code);
      const allowed =
        expected.includes(failure.code) || (PASSING.has(failure.code) && this.#disturbance.since(start));
      if (!allowed) {
        this.#violations.add(`${protocol}: ${what}: ${failure.code} ${failure.reason} ${failure.message}`);
      }
      throw failure;
    }
  }

  /** Makes a call again and again until it is answered. @throws Error if that takes too long. */
  async answered<T>(protocol: string, what: string, call: () => Promise<T>): Promise<T> {
    for (let calm = performance.now(); performance.now() < calm + MAX_PATIENCE; ) {
      try {
        return await this.once(protocol, what, call);
      } catch {
        if (this.#disturbance.since(performance.now())) calm = performance.now();
        await sleep(PAUSE);
      }
    }
    throw new Error(`${protocol}: ${what}: not answered within ${MAX_PATIENCE / 1_000} s`);
  }
}

async function withinTime<T>(call: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`did not end within ${MAX_CALL / 1000} s`)), MAX_CALL);
  });
  try {
    return await Promise.race([call, late]);
  } finally {
    clearTimeout(timer);
  }
}
