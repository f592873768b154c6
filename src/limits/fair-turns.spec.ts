import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Budget, type Release } from "./budget.js";
import { FairTurns } from "./fair-turns.js";
import { NoSlotError, WaitTimeoutError } from "./limit-wait.js";
import { MAX_WAIT_MS } from "./limits.js";

const never = (): AbortSignal => new AbortController().signal;

/** Turns at `slots` places, with the callers in the order in which their turns began. */
function turnsAt(slots: number, each = slots, waiting = { total: 100, each: 50 }) {
  const budget = new Budget({ total: slots, each });
  const turns = new FairTurns((caller) => budget.take(caller), waiting);
  const begun: { caller: string; end: Release }[] = [];
  const ask = (caller: string, signal = never(), maxMs = Number.POSITIVE_INFINITY): Promise<void> =>
    turns.take(caller, signal, maxMs).then((end) => void begun.push({ caller, end }));
  return { budget, turns, begun, ask };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("FairTurns", () => {
  it("lets callers take turns, however much one of them asks for", async () => {
    const { begun, ask } = turnsAt(1);
    for (const caller of ["a", "a", "a", "a", "b", "c", "b"]) void ask(caller);
    for (let ended = 0; ended < 7; ended++) {
      await settled();
      begun[ended]?.end();
    }
    expect(begun.map(({ caller }) => caller)).toEqual(["a", "a", "b", "c", "a", "b", "a"]);
  });

  it("begins the turn of a caller with room while others wait for theirs", async () => {
    const { begun, ask } = turnsAt(3, 2);
    for (const caller of ["a", "a", "a", "a", "b"]) void ask(caller);
    await settled();
    expect(begun.map(({ caller }) => caller)).toEqual(["a", "a", "b"]);
  });

  it("refuses a caller with too many calls waiting, and lets others wait", async () => {
    const { ask, turns } = turnsAt(1, 1, { total: 3, each: 2 });
    for (const caller of ["a", "a", "a"]) void ask(caller);
    await expect(ask("a")).rejects.toThrow(NoSlotError);
    void ask("b");
    expect(turns.waiting).toBe(3);
    await expect(ask("c")).rejects.toThrow(NoSlotError);
  });

  it("rejects a call that gets no slot in time, and serves those that came later", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { begun, ask, turns } = turnsAt(1);
    void ask("a");
    const early = ask("b", never(), MAX_WAIT_MS);
    vi.advanceTimersByTime(1);
    void ask("c", never(), MAX_WAIT_MS);
    void ask("d");
    vi.advanceTimersByTime(MAX_WAIT_MS - 1);
    await expect(early).rejects.toThrow(WaitTimeoutError);
    begun[0]?.end();
    await settled();
    vi.advanceTimersByTime(10 * MAX_WAIT_MS);
    begun[1]?.end();
    await settled();
    expect(begun.map(({ caller }) => caller)).toEqual(["a", "c", "d"]);
    expect(turns.waiting).toBe(0);
  });

  it("forgets a waiting call that is aborted", async () => {
    const { begun, ask, turns } = turnsAt(1);
    const controller = new AbortController();
    void ask("a");
    const given = ask("a", controller.signal);
    void ask("b");
    controller.abort(new Error("gone"));
    await expect(given).rejects.toThrow("gone");
    expect(turns.waiting).toBe(1);
    begun[0]?.end();
    await settled();
    expect(begun.map(({ caller }) => caller)).toEqual(["a", "b"]);
  });

  it("takes no notice of a signal that aborts once its turn has begun", async () => {
    const { begun, ask, turns } = turnsAt(1);
    const controller = new AbortController();
    void ask("a");
    void ask("b", controller.signal);
    void ask("b");
    begun[0]?.end();
    await settled();
    begun[0]?.end();
    await settled();
    controller.abort(new Error("gone"));
    expect(turns.waiting).toBe(1);
    begun[1]?.end();
    await settled();
    expect(begun.map(({ caller }) => caller)).toEqual(["a", "b", "b"]);
  });

  it("serves every waiting caller within one turn of each other caller", async () => {
    const callers = fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(callers, fc.integer({ min: 1, max: 3 }), async (asked, slots) => {
        const { begun, ask, turns, budget } = turnsAt(slots);
        for (const caller of asked) void ask(caller);
        for (let ended = 0; ended < asked.length; ended++) {
          await settled();
          const order = begun.slice(slots).map(({ caller }) => caller);
          for (const [index, caller] of order.entries()) {
            const last = order.lastIndexOf(caller, index - 1);
            const between = order.slice(last + 1, index);
            if (last >= 0) expect(new Set(between).size).toBe(between.length);
          }
          begun[ended]?.end();
        }
        expect(begun).toHaveLength(asked.length);
        expect(turns.waiting).toBe(0);
        expect(budget.total).toBe(0);
      }),
    );
  });
});
