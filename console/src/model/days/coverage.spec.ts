import { expect, test } from "vitest";
import { coverageText, rangeWithCoverage } from "./coverage.js";
import { formatRange } from "./format-day.js";

const QUARTER = { first: 20_000, last: 20_089 };

test.each([
  [QUARTER, 90, undefined],
  [QUARTER, 30, "30 of 90 days have data"],
  [QUARTER, 1, "1 of 90 days has data"],
  [QUARTER, 0, "0 of 90 days have data"],
  [{ first: 20_000, last: 20_000 }, 1, undefined],
  [{ first: 20_000, last: 20_000 }, 0, "no data"],
])("coverageText of %j with %d days is %j", (range, days, text) => {
  expect(coverageText(range, days)).toBe(text);
});

test("rangeWithCoverage adds the coverage only if days are missing", () => {
  expect(rangeWithCoverage(QUARTER, 90)).toBe(formatRange(QUARTER));
  expect(rangeWithCoverage(QUARTER, 30)).toBe(`${formatRange(QUARTER)} (30 of 90 days have data)`);
});
