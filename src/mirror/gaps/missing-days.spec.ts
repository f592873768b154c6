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

describe("missing dates", () => {
  test.each<[string, readonly number[], number, readonly number[]]>([
    ["are none of an app without entries", [], 50, []],
    ["are none of complete days", range(10, 50), 50, []],
    ["are those within daily traffic", except(range(10, 50), 20, 33, 34), 50, [20, 33, 34]],
    ["are those at the end, before the app has stopped", range(10, 48), 50, [49, 50]],
    [
      "are all days of a hole longer than what the original keeps",
      except(range(0, 60), ...range(20, 31)),
      60,
      range(20, 31),
    ],
    ["are not those that may come late", range(10, 48), 48, []],
    ["are no weekends of an app that rests then", range(0, 71).filter((day) => !isWeekend(day)), 73, []],
    [
      "are weekdays of an app that rests at weekends",
      except(
        range(0, 71).filter((day) => !isWeekend(day)),
        25,
        34,
      ),
      71,
      [25, 34],
    ],
    ["are none of an app that has entries now and then", range(0, 70).filter((day) => day % 5 === 0), 70, []],
    ["are none of an app that was tried out for two days", [3, 4], 50, []],
    ["are not those before the first day", range(30, 50), 50, []],
  ])("%s", (_, days, until, missing) => {
    expect(missingDays(runsOf(days), until)).toEqual({ missing });
  });

  it("are all found that are dropped from daily traffic, and only those", () => {
    const days = range(0, 59);
    const dropped = fc.uniqueArray(fc.integer({ min: 3, max: 56 }), { maxLength: 3 });
    fc.assert(
      fc.property(dropped, (some) => {
        const expected = [...some].sort((a, b) => a - b);
        expect(missingDays(runsOf(except(days, ...some)), 59)).toEqual({ missing: expected });
      }),
    );
  });

  it("are missing no more once they have come", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 59 })), (days) => {
        const before = missingDays(runsOf(days), 59).missing;
        for (const late of before)
          expect(missingDays(runsOf([...days, late]), 59).missing).not.toContain(late);
      }),
    );
  });
});

describe("an app has stopped", () => {
  it("when three days are missing at its end", () => {
    expect(missingDays(runsOf(range(10, 40)), 42).stopped).toBeUndefined();
    for (const until of [43, 44, 100, 100_000]) {
      expect(missingDays(runsOf(range(10, 40)), until)).toEqual({
        missing: [],
        stopped: { after: 40, first: 41, certain: 43 },
      });
    }
  });

  it("after its usual rest", () => {
    const weekdays = range(0, 29).filter((day) => !isWeekend(day));
    expect(missingDays(runsOf(weekdays), 33).stopped).toBeUndefined();
    expect(missingDays(runsOf(weekdays), 34).stopped).toEqual({ after: 29, first: 32, certain: 34 });
  });
});
