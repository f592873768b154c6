import { expect, test } from "vitest";
import { type FilterFlags, filterOf, isDay } from "./filter.js";

test.each<[FilterFlags, string | undefined]>([
  [{}, undefined],
  [{ filter: "" }, undefined],
  [{ from: "2025-03-04" }, 'date >= "2025-03-04"'],
  [{ from: "2024-02-29", to: "2024-02-29" }, 'date >= "2024-02-29" AND date <= "2024-02-29"'],
  [{ label: ["a"] }, 'analyticsLabel = "a"'],
  [{ label: [""] }, 'analyticsLabel = ""'],
  [
    { to: "2025-03-05", label: ["a-b_.~%", ""] },
    'date <= "2025-03-05" AND (analyticsLabel = "a-b_.~%" OR analyticsLabel = "")',
  ],
  [{ filter: 'analyticsLabel = "a*"' }, 'analyticsLabel = "a*"'],
  [{ filter: "x OR y", from: "2025-03-04" }, '(x OR y) AND date >= "2025-03-04"'],
])("filterOf(%j) returns the expected filter", (flags, filter) => {
  expect(filterOf(flags)).toBe(filter);
});

test.each([
  ["2025-03-04", true],
  ["2024-02-29", true],
  ["0001-01-01", true],
  ["9999-12-31", true],
  ["2025-02-29", false],
  ["2025-04-31", false],
  ["2025-3-4", false],
  ["2025-13-01", false],
  ["+010000-01-01", false],
  ["0000-01-01", false],
  ["2025-03-04T00:00:00Z", false],
  ['2025-03-04"', false],
  ["", false],
])("isDay(%j) is %s", (text, expected) => {
  expect(isDay(text)).toBe(expected);
});
