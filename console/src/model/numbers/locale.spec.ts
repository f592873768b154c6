import { expect, test } from "vitest";
import { englishLocaleOf } from "./locale.js";

test.each([
  ["en-US", "en-US"],
  ["en", "en-US"],
  ["de", "en-DE"],
  ["de-CH", "en-CH"],
  ["ar-EG-u-nu-arab", "en-EG"],
  ["zh-Hant", "en-TW"],
  ["es-419", "en-419"],
  ["und-x-private", "en-US"],
])("englishLocaleOf reads the region of %s: %s", (locale, english) => {
  expect(englishLocaleOf(locale)).toBe(english);
});

test("numbers and dates have Latin digits and English words in every region", () => {
  for (const locale of ["ar-EG", "fa-IR", "ja-JP", "de-DE", "hi-IN"].map(englishLocaleOf)) {
    const day = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeZone: "UTC" }).format(0);
    expect(day).toMatch(/^(?=.*Thursday)(?=.*January)(?=.*1970)[\x20-\x7e]+$/);
    expect(new Intl.NumberFormat(locale).format(12_345)).toMatch(/^12\D?345$/);
  }
});
