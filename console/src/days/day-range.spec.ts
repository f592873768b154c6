import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { FIRST_DAY, LAST_DAY } from "../../../src/model/day.js";
import { dayOfIso, daysIn, daysOf, isoDate, rangeBefore } from "./day-range.js";

describe("a date as text", () => {
  it("is read as it is written, in every year", () => {
    fc.assert(
      fc.property(fc.integer({ min: FIRST_DAY, max: LAST_DAY }), (day) => {
        expect(dayOfIso(isoDate(day))).toBe(day);
      }),
    );
  });

  test.each([
    "",
    "2025-3-1",
    "2025-02-29",
    "2025-13-01",
    "2025-00-10",
    "2025-01-00",
    "20250301",
    "0000-01-01",
    "x",
  ])("is none if it is %j", (text) => {
    expect(dayOfIso(text)).toBeUndefined();
  });
});

test("the range before another is as long, and ends the day before it", () => {
  fc.assert(
    fc.property(fc.nat(50_000), fc.nat(400), (first, length) => {
      const range = { first, last: first + length };
      const before = rangeBefore(range);
      expect(daysIn(before)).toBe(daysIn(range));
      expect(daysOf(before).at(-1)).toBe(first - 1);
      expect(daysOf(range)).toHaveLength(length + 1);
    }),
  );
});
