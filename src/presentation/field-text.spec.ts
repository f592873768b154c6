import { expect, test } from "vitest";
import { dateText, labelText } from "./field-text.js";

test.each([
  [dateText({ year: 2026, month: 3, day: 9 }), "2026-03-09"],
  [dateText({ year: 2026, month: 11 }), "2026-11"],
  [labelText("news"), "news"],
  [labelText(""), "(no label)"],
  [labelText(undefined), "(no label)"],
])("labelText or dateText formats %j", (text, expected) => {
  expect(text).toBe(expected);
});
