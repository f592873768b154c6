import { expect, test } from "vitest";
import { parseDuration } from "./config-values.js";

test.each([
  ["0s", 0],
  ["250ms", 250],
  ["90s", 90_000],
  ["30m", 1_800_000],
  ["1h", 3_600_000],
  ["7d", 604_800_000],
  ["1h30m", 5_400_000],
  ["1d2h3m4s5ms", 93_784_005],
  ["1.5h", 5_400_000],
  ["0.25s", 250],
  ["1.001s", 1_001],
  ["3652500d", 315_576_000_000_000],
])("parseDuration(%s) returns %d ms", (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds);
});

test.each([
  "",
  "5",
  "s",
  "5 s",
  " 5s",
  "5s ",
  "5s\n",
  "-5s",
  "+5s",
  "1e3s",
  ".5s",
  "5.s",
  "1.5.5h",
  "5S",
  "5sec",
  "5w",
  "1h 30m",
  "1h30",
  "Infinity",
  "PT1H",
  "3652501d",
])("parseDuration(%j) returns undefined", (text) => {
  expect(parseDuration(text)).toBeUndefined();
});
