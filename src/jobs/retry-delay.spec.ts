import { expect, test } from "vitest";
import { retryDelay } from "./retry-delay.js";

const [SECOND, HOUR, DAY] = [1_000, 3_600_000, 86_400_000];

test.each([
  ["a first failure, at most", [1, 0, 1], SECOND],
  ["a first failure, at least", [1, 0, 0], SECOND / 2],
  ["the fifth consecutive failure, at most", [5, 0, 1], 16 * SECOND],
  ["the fifth consecutive failure, at least", [5, 0, 0], 8 * SECOND],
  ["very many failures", [5_000, 0, 1], HOUR],
  ["a failure with Retry-After", [1, 7 * SECOND, 1], 7 * SECOND],
  ["a failure with a shorter Retry-After", [5, 0, 1], 16 * SECOND],
  ["a failure with a Retry-After of years", [1, 1e12, 1], DAY],
] as const)("retryDelay computes the pause after %s", (_, [failures, retryAfter, random], delay) => {
  expect(retryDelay(failures, retryAfter, random)).toBe(delay);
});
