import { expect, it } from "vitest";
import { PrincipalCalls } from "./principal-calls.js";

it("calls are frequent for 100 ms after the last but one call", () => {
  let now = 5_000;
  const calls = new PrincipalCalls(() => now);
  expect(calls.areFrequent).toBe(false);
  calls.add();
  expect(calls.areFrequent).toBe(false);
  now += 60;
  calls.add();
  expect(calls.areFrequent).toBe(true);
  now += 40;
  expect(calls.areFrequent).toBe(true);
  now += 1;
  expect(calls.areFrequent).toBe(false);
  calls.add();
  now += 59;
  expect(calls.areFrequent).toBe(true);
});
