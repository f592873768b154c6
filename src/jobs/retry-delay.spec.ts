import { expect, test } from "vitest";
import { retryDelay } from "./retry-delay.js";

const [SECOND, HOUR, DAY] = [1_000, 3_600_000, 86_400_000];

test.each([
  ["a first failure", [1, 0, 1], SECOND],
  ["a first failure, at the least", [1, 0, 0], SECOND / 2],
  ["the fifth in a row", [5, 0, 1], 16 * SECOND],
  ["the fifth in a row, at the least", [5, 0, 0], 8 * SECOND],
  ["very many", [5_000, 0, 1], HOUR],
  ["one whose address asks to wait", [1, 7 * SECOND, 1], 7 * SECOND],
  ["one whose address asks to wait for less than that", [5, 0, 1], 16 * SECOND],
  ["one whose address asks to wait for years", [1, 1e12, 1], DAY],
] as const)("the next attempt after %s", (_, [failures, retryAfter, random], delay) => {
  expect(retryDelay(failures, retryAfter, random)).toBe(delay);
});
