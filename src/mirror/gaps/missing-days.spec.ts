import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { runsOf } from "../day-runs.js";
import { missingDays } from "./missing-days.js";

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);
const except = (days: readonly number[], ...dropped: readonly number[]): number[] =>
  days.filter((day) => !dropped.includes(day));
/** Day 0 was a Thursday. */
const isWeekend = (day: number): boolean => [2, 3].includes(day % 7);

describe("missingDays", () => {
  test.each<[string, readonly number[], number, readonly number[]]>([
    ["returns nothing without entries", [], 50, []],
    ["returns nothing for complete days", range(10, 50), 50, []],
    ["returns the holes in daily traffic", except(range(10, 50), 20, 33, 34), 50, [20, 33, 34]],
    ["returns days at the end, before the app has stopped", range(10, 48), 50, [49, 50]],
    [
      "returns all days of a hole longer than the upstream window",
      except(range(0, 60), ...range(20, 31)),
      60,
      range(20, 31),
    ],
    ["ignores days that may still arrive", range(10, 48), 48, []],
    [
      "ignores weekends of an app without entries at weekends",
      range(0, 71).filter((day) => !isWeekend(day)),
      73,
      [],
    ],
    [
      "returns weekdays of an app without entries at weekends",
      except(
        range(0, 71).filter((day) => !isWeekend(day)),
        25,
        34,
      ),
      71,
      [25, 34],
    ],
    [
      "returns nothing for an app with entries now and then",
      range(0, 70).filter((day) => day % 5 === 0),
      70,
      [],
    ],
    ["returns nothing for an app that was tried out for two days", [3, 4], 50, []],
    ["ignores days before the first entry", range(30, 50), 50, []],
  ])("%s", (_, days, until, missing) => {
    expect(missingDays(runsOf(days), until)).toEqual({ missing });
  });

  it("finds exactly the days that were removed from daily traffic", () => {
    const days = range(0, 59);
    // Three days with the same weekday would look like an app that never sends on this weekday.
    const dropped = fc
      .uniqueArray(fc.integer({ min: 3, max: 56 }), { maxLength: 3 })
      .filter((some) => some.length < 3 || new Set(some.map((day) => day % 7)).size > 1);
    fc.assert(
      fc.property(dropped, (some) => {
        const expected = [...some].sort((a, b) => a - b);
        expect(missingDays(runsOf(except(days, ...some)), 59)).toEqual({ missing: expected });
      }),
    );
  });

  it("no longer returns a day once its entries have arrived", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 59 })), (days) => {
        const before = missingDays(runsOf(days), 59).missing;
        for (const late of before)
          expect(missingDays(runsOf([...days, late]), 59).missing).not.toContain(late);
      }),
    );
  });
});

describe("missingDays reports that an app has stopped sending", () => {
  it("when three days are missing at the end", () => {
    expect(missingDays(runsOf(range(10, 40)), 42).stopped).toBeUndefined();
    for (const until of [43, 44, 100, 100_000]) {
      expect(missingDays(runsOf(range(10, 40)), until)).toEqual({
        missing: [],
        stopped: { after: 40, first: 41, certain: 43 },
      });
    }
  });

  it("only after the days on which it usually has no entries", () => {
    const weekdays = range(0, 29).filter((day) => !isWeekend(day));
    expect(missingDays(runsOf(weekdays), 33).stopped).toBeUndefined();
    expect(missingDays(runsOf(weekdays), 34).stopped).toEqual({ after: 29, first: 32, certain: 34 });
  });
});
