import fc from "fast-check";
import { expect, test } from "vitest";
import { type DayRuns, daysSince, hasDay, runsOf, unionOf } from "./day-runs.js";

const days = fc.uniqueArray(fc.integer({ min: -20, max: 60 }), { maxLength: 40 });

const daysOf = (runs: DayRuns): number[] =>
  runs.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index));
const ascending = (given: readonly number[]): number[] => [...given].sort((a, b) => a - b);

test("runsOf returns the days in ascending runs with gaps between them", () => {
  fc.assert(
    fc.property(days, (given) => {
      const runs = runsOf(given);
      expect(daysOf(runs)).toEqual(ascending(given));
      for (const [index, [first]] of runs.entries())
        expect(first).toBeGreaterThan((runs[index - 1]?.[1] ?? Number.NEGATIVE_INFINITY) + 1);
    }),
  );
});

test("unionOf returns the days of both sets", () => {
  fc.assert(
    fc.property(days, days, (some, others) => {
      expect(unionOf(runsOf(some), runsOf(others))).toEqual(runsOf(new Set([...some, ...others])));
    }),
  );
});

test("hasDay finds every day in a set, and daysSince omits earlier days", () => {
  fc.assert(
    fc.property(days, fc.integer({ min: -25, max: 65 }), (given, day) => {
      expect(hasDay(runsOf(given), day)).toBe(given.includes(day));
      expect(daysSince(runsOf(given), day)).toEqual(runsOf(given.filter((each) => each >= day)));
    }),
  );
});
