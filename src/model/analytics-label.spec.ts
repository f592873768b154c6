import { expect, test } from "vitest";
import { isLabel } from "./analytics-label.js";

test.each([
  ["", false],
  ["aZ09-_.~%", true],
  ["x".repeat(50), true],
  ["x".repeat(51), false],
  ["a*", false],
  ['a"', false],
  ["a\\", false],
  ["a b", false],
  ["ä", false],
  ["a\n", false],
])("isLabel(%j) is %s", (text, expected) => {
  expect(isLabel(text)).toBe(expected);
});
