import { setImmediate as nextTick } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Budget, type Release } from "./budget.js";
import { FairSlots } from "./fair-slots.js";
import { NoSlotError, WaitTimeoutError } from "./limit-wait.js";
import { MAX_WAIT_MS } from "./request-limits.js";

const never = (): AbortSignal => new AbortController().signal;

/** A number of concurrent slots, with the callers in the order in which their slots began. */
function fairSlots(total: number, each = total, waiting = { total: 100, each: 50 }) {
  const budget = new Budget({ total, each });
  const queue = new FairSlots((caller) => budget.take(caller), waiting);
  const begun: { caller: string; end: Release }[] = [];
  const ask = (caller: string, signal = never(), maxMs = Number.POSITIVE_INFINITY): Promise<void> =>
    queue.take(caller, signal, maxMs).then((end) => void begun.push({ caller, end }));
  return { budget, queue, begun, ask };
}

describe("FairSlots", () => {
  it("divides slots fairly among callers, even if one of them requests many", async () => {
    const { begun, ask } = fairSlots(1);
    for (const caller of ["a", "a", "a", "a", "b", "c", "b"]) void ask(caller);
    for (let ended = 0; ended < 7; ended++) {
      await nextTick();
      begun[ended]?.end();
    }
    expect(begun.map(({ caller }) => caller)).toEqual(["a", "a", "b", "c", "a", "b", "a"]);
  });

  it("assigns a slot to a caller below its limit while other callers wait", async () => {
    const { begun, ask } = fairSlots(3, 2);
    for (const caller of ["a", "a", "a", "a", "b"]) void ask(caller);
    await nextTick();
    expect(begun.map(({ caller }) => caller)).toEqual(["a", "a", "b"]);
  });

  it("rejects a caller with too many queued calls, and accepts calls of others", async () => {
    const { ask, queue } = fairSlots(1, 1, { total: 3, each: 2 });
    for (const caller of ["a", "a", "a"]) void ask(caller);
    await expect(ask("a")).rejects.toThrow(NoSlotError);
    void ask("b");
    expect(queue.waiting).toBe(3);
    await expect(ask("c")).rejects.toThrow(NoSlotError);
  });

  it("rejects a call that gets no slot in time, and serves later calls", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { begun, ask, queue } = fairSlots(1);
    void ask("a");
    const early = ask("b", never(), MAX_WAIT_MS);
    vi.advanceTimersByTime(1);
    void ask("c", never(), MAX_WAIT_MS);
    void ask("d");
    vi.advanceTimersByTime(MAX_WAIT_MS - 1);
    await expect(early).rejects.toThrow(WaitTimeoutError);
    begun[0]?.end();
    await nextTick();
    vi.advanceTimersByTime(10 * MAX_WAIT_MS);
    begun[1]?.end();
    await nextTick();
    expect(begun.map(({ caller }) => caller)).toEqual(["a", "c", "d"]);
    expect(queue.waiting).toBe(0);
  });

  it("removes an aborted call from the queue", async () => {
    const { begun, ask, queue } = fairSlots(1);
    const controller = new AbortController();
    void ask("a");
    const given = ask("a", controller.signal);
    void ask("b");
    controller.abort(new Error("gone"));
    await expect(given).rejects.toThrow("gone");
    expect(queue.waiting).toBe(1);
    begun[0]?.end();
    await nextTick();
    expect(begun.map(({ caller }) => caller)).toEqual(["a", "b"]);
  });

  it("ignores a signal that aborts after the slot was assigned", async () => {
    const { begun, ask, queue } = fairSlots(1);
    const controller = new AbortController();
    void ask("a");
    void ask("b", controller.signal);
    void ask("b");
    begun[0]?.end();
    await nextTick();
    begun[0]?.end();
    await nextTick();
    controller.abort(new Error("gone"));
    expect(queue.waiting).toBe(1);
    begun[1]?.end();
    await nextTick();
    expect(begun.map(({ caller }) => caller)).toEqual(["a", "b", "b"]);
  });

  it("serves every queued caller after at most one slot of each other caller", async () => {
    const callers = fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(callers, fc.integer({ min: 1, max: 3 }), async (asked, slots) => {
        const { begun, ask, queue, budget } = fairSlots(slots);
        for (const caller of asked) void ask(caller);
        for (let ended = 0; ended < asked.length; ended++) {
          await nextTick();
          const order = begun.slice(slots).map(({ caller }) => caller);
          for (const [index, caller] of order.entries()) {
            const last = order.lastIndexOf(caller, index - 1);
            const between = order.slice(last + 1, index);
            if (last >= 0) expect(new Set(between).size).toBe(between.length);
          }
          begun[ended]?.end();
        }
        expect(begun).toHaveLength(asked.length);
        expect(queue.waiting).toBe(0);
        expect(budget.total).toBe(0);
      }),
    );
  });
});
