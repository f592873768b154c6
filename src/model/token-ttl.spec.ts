import { expect, it } from "vitest";
import { DEFAULT_TOKEN_TTL_SECONDS, isTokenTtl, readTokenTtl } from "./token-ttl.js";

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

it.each([
  ["1800s", { seconds: 1800n, nanos: 0 }],
  ["0003600.5s", { seconds: 3600n, nanos: 500_000_000 }],
  ["604799.999999999s", { seconds: 604_799n, nanos: 999_999_999 }],
  ["1799.999999999s", undefined],
  ["604800.000000001s", undefined],
  ["-3600s", undefined],
  ["3600.0000000001s", undefined],
  ["3600s later", undefined],
  ["3600.s", undefined],
  ["1h", undefined],
  [" 3600s", undefined],
  ["", undefined],
  [3_600, undefined],
  [null, undefined],
])("readTokenTtl of %j", (json, expected) => {
  expect(readTokenTtl(json)).toEqual(expected);
});
