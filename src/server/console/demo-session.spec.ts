import { expect, it } from "vitest";
import { ManualClock } from "../../auth/testing/manual-clock.js";
import { DemoCodes } from "./demo-session.js";

const HOUR = 3_600_000;

it("DemoCodes redeems a code only once", () => {
  const codes = new DemoCodes(new ManualClock());
  const [first, second] = [codes.issue(), codes.issue()];
  expect(first).not.toBe(second);
  expect([first, first, second, second].map((code) => codes.redeem(code))).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

it.each([
  [0, true],
  [HOUR - 1, true],
  [HOUR, false],
  [30 * 24 * HOUR, false],
])("DemoCodes expires a code after an hour: after %d ms, it is valid: %s", (passed, good) => {
  const clock = new ManualClock();
  const codes = new DemoCodes(clock);
  const code = codes.issue();
  clock.advance(passed);
  expect(codes.redeem(code)).toBe(good);
});

it("DemoCodes issues codes of more than 128 bits that can be part of a URL", () => {
  expect(new DemoCodes(new ManualClock()).issue()).toMatch(/^[\w-]{32}$/);
});
