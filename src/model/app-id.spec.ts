import { expect, test } from "vitest";
import { isAppId } from "./app-id.js";

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
