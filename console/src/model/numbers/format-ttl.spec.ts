import { expect, test } from "vitest";
import { formatTtl } from "./format-ttl.js";

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
