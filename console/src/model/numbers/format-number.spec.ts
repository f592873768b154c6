import fc from "fast-check";
import { expect, test } from "vitest";
import { pointsBetween } from "./counts.js";
import { formatChange, formatCountChange, formatPercent, formatPoints } from "./format-number.js";

const english = (text: string): string => text.replaceAll(",", ".").replaceAll("\u00a0", "");

test.each<[percent: number | undefined, text: string]>([
  [undefined, "–"],
  [0, "0.0%"],
  [0.001, "<0.1%"],
  [0.05, "0.1%"],
  [50, "50.0%"],
  [99.94, "99.9%"],
  [99.99, ">99.9%"],
  [100, "100.0%"],
])("formatPercent formats %s percent as %s", (percent, text) => {
  expect(english(formatPercent(percent))).toBe(text);
});

test.each<[points: number, text: string]>([
  [1.25, "+1.3 pts"],
  [-0.5, "−0.5 pts"],
  [0, "0.0 pts"],
])("formatPoints formats a difference of %s", (points, text) => {
  expect(english(formatPoints(points))).toBe(text);
});

test.each([
  [formatCountChange(1_234), "+1.234"],
  [formatCountChange(-5), "−5"],
  [formatCountChange(0), "0"],
  [formatChange(-76.7), "−76.7%"],
])("a change is formatted as %s", (text, expected) => {
  expect(english(text)).toBe(expected);
});

test("a difference is that of the percentages as shown", () => {
  const percent = fc.integer({ min: 0, max: 100_000 }).map((thousandths) => thousandths / 1_000);
  const shown = (value: number): number => Number.parseFloat(english(formatPercent(value)));
  // Shares next to 0 and 100 % are shown as `<0.1%` and `>99.9%`.
  const plain = percent.filter((value) => !/[<>]/.test(formatPercent(value)));
  fc.assert(
    fc.property(plain, plain, (from, to) => {
      expect(pointsBetween(from, to)).toBeCloseTo(shown(to) - shown(from), 9);
    }),
    { examples: [[0, 45.55]] },
  );
});
