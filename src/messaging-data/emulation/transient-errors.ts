import { ApiError } from "../../api/api-error.js";
import { Code } from "../../gen/google/rpc/code_pb.js";
import { Draws } from "../draws.js";

/** Fails some of the calls, in the same order after each start. */
export class TransientErrors {
  readonly #seed: string;
  readonly #share: number;
  #calls = 0;

  /** @param share of calls that fail: 0 to 1. */
  constructor({ seed, errors }: { readonly seed: string; readonly errors: number }) {
    this.#seed = seed;
    this.#share = errors;
  }

  /** Counts a call. @throws ApiError `EMULATED_ERROR` if it fails, by 500 or by 503. */
  begin(): void {
    const draws = new Draws(this.#seed, "call", this.#calls++);
    if (draws.fraction() >= this.#share) return;
    const isInternal = draws.fraction() < 0.5;
    throw new ApiError({
      code: isInternal ? Code.INTERNAL : Code.UNAVAILABLE,
      reason: "EMULATED_ERROR",
      message: "The call failed as it may at the original, which this server emulates. Send it again.",
      ...(!isInternal && { headers: { "retry-after": "1" } }),
    });
  }
}
