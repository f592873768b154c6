import fc from "fast-check";
import { expect, test } from "vitest";
import { formatDay, parseDay, rangeBefore } from "#src/model/day.js";
import { upTo } from "#src/presentation/chosen-range.js";
import { daysIn, daysOf, rangeYearBefore } from "./day-range.js";

test("rangeBefore returns the preceding range with the same length", () => {
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

test.each([
  ["2025-11-01", "2025-11-21", "2024-11-01", "2024-11-21"],
  ["2024-02-01", "2024-02-29", "2023-02-01", "2023-02-28"],
  ["2025-02-01", "2025-02-28", "2024-02-01", "2024-02-28"],
  ["2024-12-25", "2025-01-05", "2023-12-25", "2024-01-05"],
  ["0001-03-01", "0002-02-01", "0001-01-01", "0001-02-01"],
])("rangeYearBefore of %s to %s is %s to %s", (first, last, firstBefore, lastBefore) => {
  const [from = 0, to = 0] = [parseDay(first), parseDay(last)];
  const before = rangeYearBefore({ first: from, last: to });
  expect([formatDay(before.first), formatDay(before.last)]).toEqual([firstBefore, lastBefore]);
});

test.each([
  ["ends at the last day", { first: 10, last: 20 }, { first: 10, last: 15 }],
  ["keeps a range that ends before", { first: 10, last: 14 }, { first: 10, last: 14 }],
  ["keeps a range that begins later", { first: 16, last: 20 }, { first: 16, last: 20 }],
])("upTo %s", (_, range, expected) => {
  expect(upTo(range, 15)).toEqual(expected);
});
