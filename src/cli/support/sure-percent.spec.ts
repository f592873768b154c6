import { expect, test } from "vitest";
import { surePercent } from "./sure-percent.js";

test.each([
  [0, 0],
  [0.5, 50],
  [0.98765, 98.76],
  [0.999, 99.9],
  [0.99999, 99.99],
  [1, 99.99],
])("a confidence of %f is %f % sure", (confidence, expected) => {
  expect(surePercent(confidence)).toBe(expected);
});
