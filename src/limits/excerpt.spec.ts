import fc from "fast-check";
import { expect, test } from "vitest";
import { excerpt } from "./excerpt.js";
import { MAX_EXCERPT } from "./request-limits.js";

test.each([
  ["", ""],
  ["abc", "abc"],
  ["abcd", "abc…"],
  ["ab\u{1f600}", "ab…"],
  ["a\u{1f600}", "a\u{1f600}"],
  ["a\u{1f600}b", "a\u{1f600}…"],
])("excerpt(%j) with room for three characters is %j", (text, repeated) => {
  expect(excerpt(text, 3)).toBe(repeated);
});

test("excerpt returns a short text that starts like its argument, and is well-formed if the argument is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 3 * MAX_EXCERPT }), (text) => {
      const repeated = excerpt(text);
      expect(repeated.length).toBeLessThanOrEqual(MAX_EXCERPT + 1);
      expect(text.startsWith(repeated.replace(/…$/, "")) || repeated === text).toBe(true);
      expect(Buffer.from(repeated).toString()).toBe(repeated);
    }),
  );
});
