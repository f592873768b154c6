import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Budget } from "./budget.js";

describe("Budget", () => {
  it("rejects a caller that has used its share, and accepts other callers", () => {
    const budget = new Budget({ total: 3, each: 2 });
    expect(budget.take("a")).toBeDefined();
    expect(budget.take("a")).toBeDefined();
    expect(budget.take("a")).toBeUndefined();
    expect(budget.take("b")).toBeDefined();
  });

  it("rejects every caller once the total is used up", () => {
    const budget = new Budget({ total: 3, each: 2 });
    budget.take("a", 2);
    budget.take("b", 1);
    expect(budget.take("c")).toBeUndefined();
  });

  it("leaves room for other callers if there is no limit per caller", () => {
    const budget = new Budget({ total: 16 });
    const takeAll = (caller: string): number => {
      while (budget.take(caller) !== undefined);
      return budget.heldBy(caller);
    };
    expect(["a", "b", "c", "d", "e", "f"].map(takeAll)).toEqual([8, 4, 2, 1, 1, 0]);
    expect(new Budget({ total: 1 }).take("a")).toBeDefined();
    expect(new Budget({ total: 10 }).take("a", 11)).toBeUndefined();
  });

  it("reserves nothing when it rejects a caller", () => {
    const budget = new Budget({ total: 10, each: 5 });
    expect(budget.take("a", 6)).toBeUndefined();
    expect(budget.take("a", 5)).toBeDefined();
    expect(budget.total).toBe(5);
  });

  it("ignores a release that is repeated", () => {
    const budget = new Budget({ total: 2, each: 2 });
    const release = budget.take("a");
    budget.take("a");
    release?.();
    release?.();
    expect(budget.heldBy("a")).toBe(1);
    expect(budget.total).toBe(1);
  });

  it("never exceeds its limits, and is empty once everything was released", () => {
    const takes = fc.array(
      fc.record({
        caller: fc.constantFrom("a", "b", "c"),
        amount: fc.integer({ min: 1, max: 6 }),
        keep: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(takes, (steps) => {
        const budget = new Budget({ total: 9, each: 5 });
        const releases = steps.flatMap(({ caller, amount, keep }) => {
          const release = budget.take(caller, amount);
          expect(budget.heldBy(caller)).toBeLessThanOrEqual(5);
          expect(budget.total).toBeLessThanOrEqual(9);
          if (keep || release === undefined) return release ?? [];
          release();
          return [];
        });
        for (const release of releases) release();
        expect(budget.total).toBe(0);
      }),
    );
  });
});
