import { beforeEach, expect, it } from "vitest";
import { AgreedTime } from "./agreed-time.js";

const NOON = Date.UTC(2026, 10, 24, 12);
const YEARS = 5 * 365 * 86_400_000;
const MINUTE = 60_000;

let ahead: number;
let passed: number;
let time: AgreedTime;
beforeEach(() => {
  ahead = 0;
  passed = 0;
  time = new AgreedTime({ wall: () => NOON + passed + ahead, monotonic: () => 1_000 + passed });
});

/** Looks at the clock each second for some time. @returns the last result, by how much it is ahead. */
function look(milliseconds: number): number | undefined {
  let last: number | undefined;
  for (const end = passed + milliseconds; passed < end; ) {
    passed += 1_000;
    last = time.now();
  }
  return last === undefined ? undefined : last - NOON - passed;
}

it("is unknown in the first minutes, and then follows the clock", () => {
  expect(look(5 * MINUTE - 1_000)).toBeUndefined();
  for (let i = 0; i < 30; i++) expect(look(MINUTE)).toBe(0);
});

it.each([1_000, MINUTE, 4 * MINUTE])("ignores a clock that is ahead for %d ms, whenever that is", (wrong) => {
  for (let i = 0; i < 11; i++) {
    look(10 * MINUTE + i * 30_000);
    ahead = YEARS;
    expect(look(wrong)).toBe(0);
    ahead = 0;
    expect(look(1_000)).toBe(0);
  }
});

it("ignores a clock that is ahead at the start, and right before it agrees with itself", () => {
  ahead = YEARS;
  expect(look(4 * MINUTE)).toBeUndefined();
  ahead = 0;
  expect(look(MINUTE)).toBe(0);
});

it("follows a clock that stays ahead, as that of a machine that was suspended, after ten minutes at most", () => {
  look(7 * MINUTE);
  ahead = 86_400_000;
  expect(look(4 * MINUTE)).toBe(0);
  expect(look(6 * MINUTE)).toBe(86_400_000);
});

it("goes back with the clock at once", () => {
  look(7 * MINUTE);
  ahead = -86_400_000;
  expect(look(1_000)).toBe(-86_400_000);
});

it("compares looks that are hours apart", () => {
  look(7 * MINUTE);
  passed += 60 * MINUTE;
  ahead = YEARS;
  expect(look(1_000)).toBe(0);
});
