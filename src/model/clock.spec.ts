import { expect, it, test } from "vitest";
import { ManualClock } from "../auth/testing/manual-clock.js";
import { AdjustableClock, FIRST_INSTANT, LAST_INSTANT, MAX_RATE } from "./clock.js";

const TIME = Date.parse("2026-11-20T12:00:00Z");

it("an adjustable clock follows the machine's clock, including jumps, until it is set", () => {
  const machine = new ManualClock();
  const clock = new AdjustableClock(machine);
  for (const jump of [0, 1_000, -86_400_000]) {
    machine.advance(jump);
    expect([clock.wall(), clock.monotonic()]).toEqual([machine.wall(), machine.monotonic()]);
  }
});

test.each([
  [1, 10_000],
  [60, 600_000],
  [0.5, 5_000],
  [0, 0],
])(
  "an adjustable clock runs from the time that was set, at rate %d by %d ms in ten seconds",
  (rate, passed) => {
    const machine = new ManualClock();
    const clock = new AdjustableClock(machine, TIME);
    machine.advance(3_000);
    clock.set({ time: TIME, rate });
    expect(clock.wall()).toBe(TIME);
    machine.advance(10_000);
    expect(clock.wall()).toBe(TIME + passed);
    expect(clock.monotonic()).toBe(13_000);
  },
);

it("an adjustable clock keeps its time when the rate is set, and its rate when the time is set", () => {
  const machine = new ManualClock();
  const clock = new AdjustableClock(machine, TIME);
  machine.advance(500);
  clock.set({ rate: 60 });
  expect(clock.wall()).toBe(TIME + 500);
  machine.advance(1_000);
  expect(clock.wall()).toBe(TIME + 60_500);
  clock.set({ time: 5_000 });
  machine.advance(1_000);
  expect(clock.wall()).toBe(65_000);
});

it("an adjustable clock stands still at both ends of its range", () => {
  const machine = new ManualClock();
  const clock = new AdjustableClock(machine, LAST_INSTANT - 1_000);
  clock.set({ rate: MAX_RATE });
  machine.advance(60_000);
  expect(clock.wall()).toBe(LAST_INSTANT);
  clock.set({ time: FIRST_INSTANT });
  machine.advance(-60_000);
  expect(clock.wall()).toBe(FIRST_INSTANT);
});
