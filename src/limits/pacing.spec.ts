import { setImmediate as nextTick } from "node:timers/promises";
import { expect, it } from "vitest";
import { inSteps, Unhurried } from "./pacing.js";

it("Unhurried runs pieces in order, with event loop ticks between them", async () => {
  const work = new Unhurried();
  const done: number[] = [];
  for (let round = 0; round < 2; round++) {
    done.length = 0;
    for (let piece = 0; piece < 100; piece++) work.add("a", () => done.push(piece));
    expect(done).toEqual([]);
    let ticks = 0;
    for (; done.length < 100; ticks++) await nextTick();
    expect(done).toEqual(Array.from({ length: 100 }, (_, piece) => piece));
    expect(ticks).toBeGreaterThan(10);
  }
});

it("Unhurried also runs a piece that another piece adds", async () => {
  const work = new Unhurried();
  const added = new Promise<void>((resolve) => work.add("a", () => work.add("a", resolve)));
  await expect(added).resolves.toBeUndefined();
});

it("Unhurried runs a caller's only piece after at most one piece of every other caller", async () => {
  const work = new Unhurried();
  const done: string[] = [];
  for (let piece = 0; piece < 100; piece++) work.add("a", () => done.push("a"));
  await new Promise<void>((resolve) => {
    work.add("b", () => {
      done.push("b");
      resolve();
    });
  });
  expect(done.slice(0, 2)).toEqual(["a", "b"]);
});

function* counting(steps: number[], count: number): Generator<void, string> {
  for (let i = 0; i < count; i++) {
    steps.push(i);
    yield;
  }
  return "done";
}

it("inSteps lets other work run between any two steps", async () => {
  const order: number[] = [];
  let running = true;
  const others = (): void => {
    order.push(-1);
    if (running) setImmediate(others);
  };
  setImmediate(others);
  expect(await inSteps(counting(order, 5))).toBe("done");
  running = false;
  for (const [i, step] of order.entries()) if (step > 0) expect(order[i - 1]).toBe(-1);
  expect(order.filter((step) => step >= 0)).toEqual([0, 1, 2, 3, 4]);
});

it("inSteps stops with the abort reason when its signal aborts", async () => {
  const steps: number[] = [];
  const controller = new AbortController();
  const running = inSteps(counting(steps, 1_000), controller.signal);
  controller.abort("gone");
  await expect(running).rejects.toBe("gone");
  expect(steps.length).toBeLessThan(3);
});

it("inSteps fails if one of the steps throws", async () => {
  const failing = (function* (): Generator<void, never> {
    yield;
    throw new RangeError("step two");
  })();
  await expect(inSteps(failing)).rejects.toThrow("step two");
});
