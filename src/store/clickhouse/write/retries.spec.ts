import { expect, it } from "vitest";
import { ManualClock } from "../../../auth/testing/manual-clock.js";
import { Retries } from "./retries.js";

/** A temporary engine error. */
const passing = () => Object.assign(new Error("Code: 285. Too few live replicas"), { code: "285" });

it("passes the remaining time to each attempt, and stops when it is over", async () => {
  const clock = new ManualClock();
  const left: number[] = [];
  const attempts = new Retries(clock, 20_000).run(async (leftMs) => {
    left.push(leftMs);
    clock.advance(9_000);
    throw passing();
  });
  await expect(attempts).rejects.toThrow("Too few live replicas");
  expect(left).toEqual([20_000, 11_000, 2_000]);
});

it.each([
  [4_000, 16_000],
  [15_000, 10_000],
])("subtracts %i ms in the queue, which leaves %i ms", async (waited, expected) => {
  const left = await new Retries(new ManualClock(), 20_000).run(async (leftMs) => leftMs, {
    waitedMs: waited,
  });
  expect(left).toBe(expected);
});

it("repeats work after additional errors that the caller accepts", async () => {
  let attempts = 0;
  const work = async (): Promise<string> => {
    if (++attempts < 3) throw new Error("exists");
    return "done";
  };
  const retries = new Retries(new ManualClock(), 20_000);
  await expect(retries.run(work)).rejects.toThrow("exists");
  attempts = 0;
  expect(await retries.run(work, { mayPass: () => true })).toBe("done");
});
