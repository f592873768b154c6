import { setTimeout as sleep } from "node:timers/promises";
import type { Disturbance } from "../faults/disturbance.js";
import type { Tally } from "../report/tally.js";
import type { Violations } from "../report/violations.js";
import { CallFailure } from "./call-failure.js";

/** Time limit for every call, in milliseconds. */
const MAX_CALL = 60_000;
/** Milliseconds before a failed call is repeated. */
const PAUSE = 60;
/** Milliseconds without an injected failure after which a call that still fails ends the run. */
const MAX_PATIENCE = 300_000;

/** Codes of failures that injected failures can cause. Others are always the server's own. */
const PASSING = new Set(["CONNECTION", "UNAVAILABLE"]);

/** Makes calls, counts their outcomes, and reports outcomes that are not allowed. */
export class Calls {
  readonly #tally: Tally;
  readonly #disturbance: Disturbance;
  readonly #violations: Violations;

  /** @param tally counts calls by protocol and outcome. */
  constructor(tally: Tally, disturbance: Disturbance, violations: Violations) {
    this.#tally = tally;
    this.#disturbance = disturbance;
    this.#violations = violations;
  }

  /**
   * Makes a call. @throws CallFailure if it fails; a failure that is not allowed is also recorded as a
   * violation.
   */
  async once<T>(
    protocol: string,
    what: string,
    call: () => Promise<T>,
    expected: readonly string[] = [],
  ): Promise<T> {
    const start = performance.now();
    try {
      const response = await withinTime(call());
      this.#tally.add(protocol, "OK");
      return response;
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

  /** Repeats a call until it gets a response. @throws Error after the time limit. */
  async responded<T>(protocol: string, what: string, call: () => Promise<T>): Promise<T> {
    for (let calm = performance.now(); performance.now() < calm + MAX_PATIENCE; ) {
      try {
        return await this.once(protocol, what, call);
      } catch {
        if (this.#disturbance.since(performance.now())) calm = performance.now();
        await sleep(PAUSE);
      }
    }
    throw new Error(`${protocol}: ${what}: no response within ${MAX_PATIENCE / 1_000} s`);
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
