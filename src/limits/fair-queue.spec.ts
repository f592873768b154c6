import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FairQueue } from "./fair-queue.js";

describe("FairQueue", () => {
  it("serves a new caller after one item of each caller in the queue", () => {
    const queue = new FairQueue<string>();
    for (const item of ["a1", "a2", "a3", "b1", "b2", "c1"]) queue.push(item.charAt(0), item);
    expect(Array.from({ length: 6 }, () => queue.shift())).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
    expect(queue.shift()).toBeUndefined();
  });

  it("puts a returning caller behind the others", () => {
    const queue = new FairQueue<string>();
    for (const item of ["a1", "a2", "b1"]) queue.push(item.charAt(0), item);
    expect(queue.shift()).toBe("a1");
    queue.push("a", "a3");
    expect([queue.shift(), queue.shift(), queue.shift()]).toEqual(["b1", "a2", "a3"]);
  });

  it("drops an item that was removed", () => {
    const queue = new FairQueue<string>();
    queue.push("a", "a1");
    expect([queue.remove("a", "a1"), queue.remove("a", "a1"), queue.remove("b", "a1")]).toEqual([
      true,
      false,
      false,
    ]);
    expect(queue.isEmpty).toBe(true);
  });

  it("serves every caller once before it serves any caller again", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 40 }), (callers) => {
        const queue = new FairQueue<string>();
        for (const [number, caller] of callers.entries()) queue.push(caller, `${caller}${number}`);
        const served = callers.map(() => queue.shift() ?? "");
        expect(queue.isEmpty).toBe(true);
        const lines = [...new Set(callers)].map((caller) =>
          [...callers.entries()].filter(([, other]) => other === caller).map(([n]) => `${caller}${n}`),
        );
        const rounds = callers.map((_, round) => lines.flatMap((line) => line[round] ?? []));
        expect(served).toEqual(rounds.flat());
      }),
    );
  });
});
