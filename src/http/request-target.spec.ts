import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { decodeQueryText, decodeSegment, decodeSegments } from "./request-target.js";

describe("decoding percent-encoded text", () => {
  test.each<[raw: string, segment: string | undefined, segments: string | undefined]>([
    ["a", "a", "a"],
    ["", "", ""],
    ["a%20b", "a b", "a b"],
    ["a+b", "a+b", "a+b"],
    ["%2F", "/", "%2F"],
    ["%2f", "/", "%2f"],
    ["a%2Fb/c%2fd%20", "a/b/c/d ", "a%2Fb/c%2fd "],
    ["%252F", "%2F", "%2F"],
    ["%00", "\0", "\0"],
    ["%E2%82%AC", "€", "€"],
    ["%", undefined, undefined],
    ["%2", undefined, undefined],
    ["%zz", undefined, undefined],
    ["%ff", undefined, undefined],
    ["%C0%AF", undefined, undefined],
    ["%ED%A0%80", undefined, undefined],
    ["%E2%82", undefined, undefined],
  ])("converts %j to %j as one segment, and to %j as several", (raw, segment, segments) => {
    expect(decodeSegment(raw)).toBe(segment);
    expect(decodeSegments(raw)).toBe(segments);
  });

  test.each([
    ["a+b%20c", "a b c"],
    ["%2B", "+"],
    ["a;b", "a;b"],
    ["%", undefined],
  ])("converts %j in a query to %j", (raw, text) => {
    expect(decodeQueryText(raw)).toBe(text);
  });

  it("restores every text that was encoded", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(decodeSegment(encodeURIComponent(text))).toBe(text);
      }),
    );
  });
});
