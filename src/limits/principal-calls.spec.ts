import { expect, it } from "vitest";
import { PrincipalCalls } from "./principal-calls.js";

it("calls are recent for 100 ms", () => {
  let now = 5_000;
  const calls = new PrincipalCalls(() => now);
  expect(calls.areRecent).toBe(false);
  for (const elapsed of [99, 100]) {
    calls.add();
    now += elapsed;
    expect(calls.areRecent).toBe(true);
  }
  now += 1;
  expect(calls.areRecent).toBe(false);
});
