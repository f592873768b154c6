import { expect, test } from "vitest";
import { formatPercent, formatPoints } from "./format-number.js";

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
  [-0.5, "-0.5 pts"],
  [0, "0.0 pts"],
])("formatPoints formats a difference of %s", (points, text) => {
  expect(english(formatPoints(points))).toBe(text);
});
