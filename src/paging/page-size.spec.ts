import { expect, test } from "vitest";
import { ApiError } from "../api/api-error.js";
import { effectivePageSize } from "./page-size.js";

test.each([
  [0, 100, 1_000],
  [1, 1, 1],
  [999, 999, 999],
  [1_000, 1_000, 1_000],
  [1_001, 1_000, 1_001],
  [10_001, 1_000, 10_000],
  [2 ** 31 - 1, 1_000, 10_000],
])("a page size of %i becomes %i, or %i in a list that allows larger pages", (asked, usual, larger) => {
  expect(effectivePageSize(asked)).toBe(usual);
  expect(effectivePageSize(asked, { ofDefault: 1_000, most: 10_000 })).toBe(larger);
});

test.each([-1, -(2 ** 31)])("rejects a page size of %i", (asked) => {
  expect(() => effectivePageSize(asked)).toThrow(ApiError);
  expect(() => effectivePageSize(asked)).toThrow("pageSize");
});
