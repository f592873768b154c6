import fc from "fast-check";
import { expect, it, test } from "vitest";
import { FIRST, filter, LABELS } from "../../../store/testing/entry-grid.js";
import { naiveMatches } from "../../../store/testing/naive-filter.js";
import { matches } from "./entry-filters.js";

it("matches evaluates any filter like the naive implementation", () => {
  const entry = fc.record({
    day: fc.integer({ min: FIRST - 1, max: FIRST + 3 }),
    label: fc.oneof(fc.constantFrom(...LABELS), fc.string({ unit: fc.constantFrom("a", "b", "%") })),
  });
  fc.assert(
    fc.property(filter, entry, (filter, entry) => {
      expect(matches(filter, entry)).toBe(naiveMatches(filter, entry));
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ["aba", ["ab", "ba"], false],
  ["abba", ["ab", "ba"], true],
  ["a", ["a", "a"], false],
  ["", ["", ""], true],
  ["xaya", ["", "a", ""], true],
  ["xaya", ["", "a", "a"], true],
  ["xa", ["", "a", "a"], false],
])("matches compares the label %j with the pattern %j as %s", (label, pieces, expected) => {
  expect(matches({ kind: "pattern", pieces }, { day: 0, label })).toBe(expected);
});

it("matches needs time in proportion to label and pattern", () => {
  const pieces = Array.from({ length: 21 }, () => "a");
  expect(matches({ kind: "pattern", pieces }, { day: 0, label: `${"a".repeat(49)}b` })).toBe(false);
});
