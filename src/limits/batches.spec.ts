import { withResolver } from "@waybill/client/support";
import { expect, it, onTestFinished, vi } from "vitest";
import { Batches } from "./batches.js";
import { WaitTimeoutError } from "./limit-wait.js";
import { MAX_WAIT_MS } from "./request-limits.js";

/**
 * Batches of strings that return each one in capitals. The batch with the item `first` ends when the test releases it.
 */
async function batchesOf(maxSize: number) {
  const started: string[][] = [];
  const { promise: firstEnds, resolve: endFirst } = withResolver();
  const batches = new Batches<string, string>({
    maxSize,
    largeSize: 5,
    run: async (items) => {
      started.push([...items]);
      if (started.length === 1) await firstEnds;
      if (items.includes("bad")) throw new Error("failed");
      const process = async (item: string): Promise<string> => {
        if (item === "odd") throw new Error("odd");
        return item.toUpperCase();
      };
      return Promise.allSettled(items.map(process));
    },
  });
  const first = batches.add("1", "first", 1);
  await expect.poll(() => started).toEqual([["first"]]);
  return { batches, started, first, endFirst };
}

it("Batches runs queued items in one batch, and returns the result of each", async () => {
  const { batches, started, first, endFirst } = await batchesOf(10);
  const others = ["a", "b"].map((item) => batches.add("1", item, 1));
  endFirst();
  expect(await Promise.all([first, ...others])).toEqual(["FIRST", "A", "B"]);
  await batches.idle();
  expect(started).toEqual([["first"], ["a", "b"]]);
});

it("Batches ends a batch at its maximum size, and is fair between keys", async () => {
  const { batches, started, endFirst } = await batchesOf(3);
  const others = ["a", "b", "c"].map((item) => batches.add("1", item, 2));
  others.push(batches.add("2", "other", 1));
  endFirst();
  await Promise.all(others);
  expect(started).toEqual([["first"], ["a", "other"], ["b", "c"]]);
});

it("Batches rejects only items in a failed batch", async () => {
  const { batches, endFirst } = await batchesOf(1);
  const bad = expect(batches.add("1", "bad", 1)).rejects.toThrow("failed");
  const good = batches.add("1", "good", 1);
  endFirst();
  await bad;
  expect(await good).toBe("GOOD");
});

it("Batches rejects a failed item, and no others in the same batch", async () => {
  const { batches, started, endFirst } = await batchesOf(9);
  const others = ["a", "odd", "b"].map((item) => batches.add("1", item, 1));
  const settled = Promise.allSettled(others);
  endFirst();
  expect(await settled).toEqual([
    { status: "fulfilled", value: "A" },
    { status: "rejected", reason: new Error("odd") },
    { status: "fulfilled", value: "B" },
  ]);
  expect(started).toEqual([["first"], ["a", "odd", "b"]]);
});

it("Batches rejects waiting items if a batch cannot begin", async () => {
  const within = (): Promise<void> => Promise.reject(new Error("no lease"));
  const batches = new Batches<string>({ maxSize: 9, within, run: async () => [] });
  const outcomes = await Promise.allSettled([batches.add("1", "a", 1), batches.add("2", "b", 1)]);
  expect(outcomes).toMatchObject([{ reason: { message: "no lease" } }, { reason: { message: "no lease" } }]);
});

it("Batches leaves aborted and late items out of a batch, and runs no empty batch", async () => {
  const { batches, started, first, endFirst } = await batchesOf(9);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const abort = new AbortController();
  const aborted = expect(batches.add("1", "a", 1, abort.signal)).rejects.toThrow("gone");
  const { signal } = new AbortController();
  const late = expect(batches.add("1", "b", 1, signal)).rejects.toThrow(WaitTimeoutError);
  abort.abort(new Error("gone"));
  vi.advanceTimersByTime(MAX_WAIT_MS);
  await Promise.all([aborted, late]);
  endFirst();
  expect(await first).toBe("FIRST");
  await batches.idle();
  expect(started).toEqual([["first"]]);
});

it("Batches keeps large items of a key out of batches while work ahead of them runs", async () => {
  const { batches, started, endFirst } = await batchesOf(9);
  const { promise: ended, resolve: end } = withResolver<string>();
  const work = batches.ahead("1", () => ended);
  const held = batches.add("1", "held", 5);
  const others = [batches.add("1", "small", 4), batches.add("2", "large", 5)];
  endFirst();
  await Promise.all(others);
  end("result");
  expect(await work).toBe("result");
  expect(await held).toBe("HELD");
  expect(started).toEqual([["first"], ["small", "large"], ["held"]]);
});

it("Batches pauses between two batches, and also without items", async () => {
  const { batches, started, first, endFirst } = await batchesOf(9);
  const pauses: number[] = [];
  const pause = batches.pause(async () => void pauses.push(started.length));
  const other = batches.add("1", "other", 1);
  endFirst();
  await Promise.all([first, pause, other]);
  await batches.pause(async () => void pauses.push(started.length));
  expect(pauses).toEqual([1, 2]);
});
