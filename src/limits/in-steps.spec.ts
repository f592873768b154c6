import { expect, it } from "vitest";
import { inSteps } from "./in-steps.js";

function* counting(steps: number[], count: number): Generator<void, string> {
  for (let i = 0; i < count; i++) {
    steps.push(i);
    yield;
  }
  return "done";
}

it("serves others between any two steps", async () => {
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

it("stops when its signal aborts, with the signal's reason", async () => {
  const steps: number[] = [];
  const controller = new AbortController();
  const running = inSteps(counting(steps, 1_000), controller.signal);
  controller.abort("gone");
  await expect(running).rejects.toBe("gone");
  expect(steps.length).toBeLessThan(3);
});

it("fails with the error of a step", async () => {
  const failing = (function* (): Generator<void, never> {
    yield;
    throw new RangeError("step two");
  })();
  await expect(inSteps(failing)).rejects.toThrow("step two");
});
