import { expect, it } from "vitest";
import { DEFAULT_TOKEN_TTL_SECONDS, isTokenTtl } from "./token-ttl.js";

it.each([
  [1799n, 999_999_999, false],
  [1800n, 0, true],
  [1800n, 1, true],
  [BigInt(DEFAULT_TOKEN_TTL_SECONDS), 0, true],
  [604_799n, 999_999_999, true],
  [604_800n, 0, true],
  [604_800n, 1, false],
  [604_801n, 0, false],
  [0n, 0, false],
  [3600n, -1, false],
  [3600n, 1_000_000_000, false],
  [-3600n, 0, false],
  [315_576_000_000n, 0, false],
])("isTokenTtl for %d s and %d ns returns %s", (seconds, nanos, expected) => {
  expect(isTokenTtl({ seconds, nanos })).toBe(expected);
});
