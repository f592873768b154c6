import { describe, expect, it, test } from "vitest";
import type { CanonicalCode } from "./canonical-code.js";
import { pauseAfter, type RetryPolicy, retrying, retryPolicy } from "./retrying.js";
import { WaybillError } from "./waybill-error.js";

const POLICY: RetryPolicy = { ...retryPolicy(), attempts: 4, firstPauseMs: 100, maxPauseMs: 300 };

describe("pauseAfter", () => {
  test.each<
    [made: number, code: CanonicalCode, retryAfterMs: number | undefined, range: [number, number] | undefined]
  >([
    [1, "UNAVAILABLE", undefined, [50, 100]],
    [2, "RESOURCE_EXHAUSTED", undefined, [100, 200]],
    [3, "UNAVAILABLE", undefined, [150, 300]],
    [4, "UNAVAILABLE", undefined, undefined],
    [1, "UNAVAILABLE", 150, [200, 250]],
    [1, "UNAVAILABLE", 300, [300, 300]],
    [1, "UNAVAILABLE", 301, undefined],
    [1, "INTERNAL", undefined, undefined],
    [1, "DEADLINE_EXCEEDED", undefined, undefined],
    [1, "ABORTED", undefined, undefined],
    [1, "UNAUTHENTICATED", undefined, undefined],
    [1, "NOT_FOUND", 100, undefined],
  ])("after attempt %i, with %s and Retry-After %s, returns %j", (made, code, retryAfterMs, range) => {
    const pauses = [0, 1].map((random) => pauseAfter(made, { code, retryAfterMs }, POLICY, random));
    expect(pauses).toEqual(range ?? [undefined, undefined]);
  });
});

describe("retrying", () => {
  const fast: RetryPolicy = { ...POLICY, firstPauseMs: 0 };
  /** Calls a function that throws the errors one after another and then succeeds. @returns the number of attempts. */
  async function attempts(errors: readonly unknown[], repeatable: boolean): Promise<number> {
    let made = 0;
    const call = async (): Promise<number> => {
      if (made < errors.length) throw errors[made++];
      return made + 1;
    };
    return retrying(call, fast, { repeatable }).catch((error: unknown) => {
      expect(error).toBe(errors[made - 1]);
      return made;
    });
  }
  const unsent = () => new WaybillError({ code: "UNAVAILABLE", message: "", outcomeUnknown: false });
  const lost = () => new WaybillError({ code: "UNAVAILABLE", message: "", outcomeUnknown: true });

  test.each<[name: string, errors: readonly unknown[], repeatable: boolean, made: number]>([
    ["nothing", [], false, 1],
    ["a call that was not sent", [unsent(), unsent()], false, 3],
    ["a lost response", [lost(), lost()], true, 3],
    ["a lost response to a call that must not be repeated", [unsent(), lost(), unsent()], false, 2],
    ["more failures than attempts", [1, 2, 3, 4, 5].map(unsent), true, 4],
    ["another error", [new TypeError("a bug")], true, 1],
  ])("makes the expected number of attempts after %s", async (_, errors, repeatable, made) => {
    expect(await attempts(errors, repeatable)).toBe(made);
  });

  it("sets the previous error as cause if an error has none", async () => {
    const socket = new Error("socket");
    const errors = [
      new WaybillError({ code: "UNAVAILABLE", message: "first", cause: socket }),
      new WaybillError({ code: "UNAVAILABLE", message: "second" }),
      new WaybillError({ code: "NOT_FOUND", message: "third" }),
    ];
    await attempts(errors, true);
    expect(errors.map(({ cause }) => cause)).toEqual([socket, errors[0], errors[1]]);
  });
});
