import { expect, test } from "vitest";
import { isAppId, isLabel } from "./names.js";

test.each([
  ["app", true],
  ["1:123456789012:android:0a1b2c3d4e5f", true],
  ["😀".repeat(256), true],
  ["", false],
  ["a/b", false],
  ["a\u007f", false],
  ["\ud83d", false],
  ["a".repeat(257), false],
])("isAppId(%j) is %s", (text, expected) => {
  expect(isAppId(text)).toBe(expected);
});

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
