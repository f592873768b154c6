import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { parseEventTime } from "./event-time.js";

const parse = (text: string): number => {
  // Surrounds the timestamp with digits, an offset and letters, to detect reads outside it.
  const bytes = Buffer.from(`9${text}5Z+08:00`);
  return parseEventTime(bytes, 1, 1 + Buffer.byteLength(text));
};

describe("parseEventTime", () => {
  test.each([
    ["1970-01-01T00:00:00Z", 0],
    ["2026-03-08T09:30:00.250Z", Date.UTC(2026, 2, 8, 9, 30, 0, 250)],
    ["2026-03-08t09:30:00z", Date.UTC(2026, 2, 8, 9, 30)],
    ["2026-03-08T01:30:00-08:00", Date.UTC(2026, 2, 8, 9, 30)],
    ["2026-03-08T15:00:00+05:30", Date.UTC(2026, 2, 8, 9, 30)],
    ["2026-03-08T09:30:00-00:00", Date.UTC(2026, 2, 8, 9, 30)],
    ["2026-03-08T00:00:00+23:59", Date.UTC(2026, 2, 7, 0, 1)],
    ["2026-03-08T09:30:00.1Z", Date.UTC(2026, 2, 8, 9, 30, 0, 100)],
    ["2026-03-08T09:30:00.01Z", Date.UTC(2026, 2, 8, 9, 30, 0, 10)],
    ["2026-03-08T09:30:00.9999Z", Date.UTC(2026, 2, 8, 9, 30, 0, 999)],
    ["2026-03-08T09:30:00.123456789-08:00", Date.UTC(2026, 2, 8, 17, 30, 0, 123)],
    ["1969-12-31T23:59:59.0009Z", -1000],
    ["2024-02-29T00:00:00Z", Date.UTC(2024, 1, 29)],
    ["2000-02-29T00:00:00Z", Date.UTC(2000, 1, 29)],
  ])("reads the time %s", (text, expected) => {
    expect(parse(text) - expected).toBe(0);
  });

  test.each([
    "",
    "2026-03-08",
    "2026-03-08T09:30:00",
    "2026-03-08 09:30:00Z",
    "2026-03-08T09:30Z",
    "2026-3-8T09:30:00Z",
    "2026-03-08T09:30:00.Z",
    "2026-03-08T09:30:00.",
    "2026-03-08T09:30:00.5",
    "2026-03-08T09:30:00,5Z",
    "2026-03-08T09:30:00ZZ",
    "2026-03-08T09:30:00Z ",
    " 2026-03-08T09:30:00Z",
    "2026-03-08T09:30:00+0800",
    "2026-03-08T09:30:00+08",
    "2026-03-08T09:30:00+08:0",
    "2026-03-08T09:30:00+08:00Z",
    "2026-03-08T09:30:00+24:00",
    "2026-03-08T09:30:00+08:60",
    "2026-03-08T09:30:00−08:00",
    "2026-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-00-08T00:00:00Z",
    "2026-13-08T00:00:00Z",
    "2026-03-00T00:00:00Z",
    "2026-03-32T00:00:00Z",
    "2026-03-08T24:00:00Z",
    "2026-03-08T09:60:00Z",
    "2016-12-31T23:59:60Z",
    "-2026-03-08T09:30:00Z",
    "+002026-03-08T09:30:00Z",
    "20260308T093000Z",
    "1772962200",
    "not a time, though long",
  ])("rejects the string %j", (text) => {
    expect(parse(text)).toBeNaN();
  });

  const two = (n: number) => String(n).padStart(2, "0");
  const timestamp = fc
    .record({
      time: fc.date({
        min: new Date("0001-01-02T00:00:00Z"),
        max: new Date("9999-12-30T00:00:00Z"),
        noInvalidDate: true,
      }),
      fraction: fc.stringMatching(/^(\.\d{1,3})?$/),
      finer: fc.stringMatching(/^\d{0,9}$/),
      offset: fc.oneof(
        fc.constantFrom("Z", "z"),
        fc
          .tuple(fc.constantFrom("+", "-"), fc.nat(23), fc.nat(59))
          .map(([sign, hours, minutes]) => `${sign}${two(hours)}:${two(minutes)}`),
      ),
    })
    .map(({ time, fraction, finer, offset }) => {
      const seconds = time.toISOString().slice(0, 19);
      return {
        text: `${seconds}${fraction}${fraction.length === 4 ? finer : ""}${offset}`,
        milliseconds: `${seconds}${fraction}${offset.toUpperCase()}`,
      };
    });

  it("returns the same time as Date.parse, rounded down to milliseconds", () => {
    fc.assert(
      fc.property(timestamp, ({ text, milliseconds }) => {
        expect(parse(text) - Date.parse(milliseconds)).toBe(0);
      }),
      { numRuns: 1000 },
    );
  });
});
