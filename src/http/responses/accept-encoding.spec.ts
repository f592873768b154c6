import { expect, test } from "vitest";
import { negotiateCoding } from "./accept-encoding.js";

test.each<[header: string | undefined, coding: string | undefined]>([
  [undefined, undefined],
  ["", undefined],
  ["identity", undefined],
  ["gzip", "gzip"],
  ["br", "br"],
  ["gzip, br", "br"],
  ["GZIP", "gzip"],
  ["gzip;q=1.0, br;q=0.5", "gzip"],
  ["gzip;q=0", undefined],
  ["gzip; q=0.001", "gzip"],
  ["*", "br"],
  ["*;q=0", undefined],
  ["br;q=0, *", "gzip"],
  ["identity, gzip;q=0.5", undefined],
  ["identity;q=0.5, gzip", "gzip"],
  ["deflate, zstd", undefined],
  ["gzip;q=x", undefined],
])("the header Accept-Encoding: %s selects the coding %s", (header, coding) => {
  expect(negotiateCoding(header)).toBe(coding);
  expect(negotiateCoding(header)).toBe(coding);
});
