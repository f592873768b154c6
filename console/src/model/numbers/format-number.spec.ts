import fc from "fast-check";
import { expect, test } from "vitest";
import { pointsBetween } from "./counts.js";
import {
  englishLocaleOf,
  formatChange,
  formatCountChange,
  formatPercent,
  formatPoints,
  formatTtl,
} from "./format-number.js";

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
])("formatPoints formats %s", (points, text) => {
  expect(english(formatPoints(points))).toBe(text);
});

test.each([
  [formatCountChange(1_234), "+1.234"],
  [formatCountChange(-5), "−5"],
  [formatCountChange(0), "0"],
  [formatChange(-76.7), "−76.7%"],
])("changes are formatted as %s", (text, expected) => {
  expect(english(text)).toBe(expected);
});

test("pointsBetween returns the difference between percentages as shown", () => {
  const percent = fc.integer({ min: 0, max: 100_000 }).map((thousandths) => thousandths / 1_000);
  const shown = (value: number): number => Number.parseFloat(english(formatPercent(value)));
  // Shares close to 0 and 100 % are shown as `<0.1%` and `>99.9%`.
  const plain = percent.filter((value) => !/[<>]/.test(formatPercent(value)));
  fc.assert(
    fc.property(plain, plain, (from, to) => {
      expect(pointsBetween(from, to)).toBeCloseTo(shown(to) - shown(from), 9);
    }),
    { examples: [[0, 45.55]] },
  );
});

test.each([
  ["en-US", "en-US"],
  ["en", "en-US"],
  ["de", "en-DE"],
  ["de-CH", "en-CH"],
  ["ar-EG-u-nu-arab", "en-EG"],
  ["zh-Hant", "en-TW"],
  ["es-419", "en-419"],
  ["und-x-private", "en-US"],
])("englishLocaleOf converts %s to %s", (locale, english) => {
  expect(englishLocaleOf(locale)).toBe(english);
});

test("numbers and dates have Latin digits and English words in every region", () => {
  for (const locale of ["ar-EG", "fa-IR", "ja-JP", "de-DE", "hi-IN"].map(englishLocaleOf)) {
    const day = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeZone: "UTC" }).format(0);
    expect(day).toMatch(/^(?=.*Thursday)(?=.*January)(?=.*1970)[\x20-\x7e]+$/);
    expect(new Intl.NumberFormat(locale).format(12_345)).toMatch(/^12\D?345$/);
  }
});

test.each([
  ["3600s", "1 hour"],
  ["1800s", "30 minutes"],
  ["604800s", "7 days"],
  ["5400s", "1 hour 30 minutes"],
  ["90061s", "1 day 1 hour 1 minute 1 second"],
  ["1800.5s", "30 minutes 0.5 seconds"],
  ["0s", "0 seconds"],
])("formatTtl formats %s as %s", (duration, text) => {
  expect(formatTtl(duration)).toBe(text);
});
