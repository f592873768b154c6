import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  civilDate,
  dayOf,
  dayOfCivil,
  FIRST_DAY,
  formatDay,
  LAST_DAY,
  lastListedDay,
  parseDay,
  startOfDay,
} from "./day.js";

const HOUR = 3_600_000;
const FIRST_INSTANT = startOfDay(FIRST_DAY);
const END = startOfDay(LAST_DAY + 1);

const CLOCK = new Intl.DateTimeFormat("en-US", {
  timeZone: "America/Los_Angeles",
  calendar: "gregory",
  era: "short",
  year: "numeric",
  month: "numeric",
  day: "numeric",
});

/** The date in Los Angeles, according to `Intl`. */
function wallDate(instant: number) {
  const parts = new Map(CLOCK.formatToParts(instant).map(({ type, value }) => [type, value]));
  const year = Number(parts.get("year"));
  return {
    year: parts.get("era") === "AD" ? year : 1 - year,
    month: Number(parts.get("month")),
    day: Number(parts.get("day")),
  };
}

/**
 * Milliseconds of a proleptic Gregorian date in UTC. `Date.UTC` would move years below 100 to the 20th
 * century.
 */
const utc = (year: number, month: number, day: number) => new Date(0).setUTCFullYear(year, month - 1, day);

const instant = fc.oneof(
  fc.integer({ min: FIRST_INSTANT, max: END - 1 }),
  fc.integer({ min: Date.UTC(1880, 0), max: Date.UTC(2040, 0) }),
);
const day = fc.integer({ min: FIRST_DAY, max: LAST_DAY });

describe("dayOf", () => {
  it("returns the date in Los Angeles for any instant in the years 1 to 9999", () => {
    fc.assert(
      fc.property(instant, (at) => {
        expect(civilDate(dayOf(at))).toEqual(wallDate(at));
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ["before standard time", "1883-11-18T07:52:57.999Z", [1883, 11, 17]],
    ["the last midnight of local mean time", "1883-11-18T07:52:58.000Z", [1883, 11, 18]],
    ["the first midnight of standard time", "1883-11-19T08:00:00.000Z", [1883, 11, 19]],
    ["the day before war time ends its winter", "1943-01-15T06:59:59.999Z", [1943, 1, 14]],
    ["war time in winter", "1943-01-15T07:00:00.000Z", [1943, 1, 15]],
    ["the summer of 1948, which began at a minute past two", "1948-03-15T07:00:00.000Z", [1948, 3, 15]],
    ["before the day of 23 hours", "2026-03-08T07:59:59.999Z", [2026, 3, 7]],
    ["the day of 23 hours", "2026-03-08T08:00:00.000Z", [2026, 3, 8]],
    ["the last millisecond in a day of 23 hours", "2026-03-09T06:59:59.999Z", [2026, 3, 8]],
    ["the day of 25 hours", "2026-11-01T07:00:00.000Z", [2026, 11, 1]],
    ["the last millisecond in a day of 25 hours", "2026-11-02T07:59:59.999Z", [2026, 11, 1]],
    ["after the day of 25 hours", "2026-11-02T08:00:00.000Z", [2026, 11, 2]],
    ["the first day", "0001-01-01T07:52:58.000Z", [1, 1, 1]],
    ["the last day", "+010000-01-01T07:59:59.999Z", [9999, 12, 31]],
  ])("returns the date in Los Angeles for %s", (_, at, [year, month, dayOfMonth]) => {
    expect(civilDate(dayOf(Date.parse(at)))).toEqual({ year, month, day: dayOfMonth });
  });
});

describe("startOfDay", () => {
  it("returns the first millisecond of a day", () => {
    fc.assert(
      fc.property(day, (d) => {
        expect(dayOf(startOfDay(d))).toBe(d);
        expect(dayOf(startOfDay(d) - 1)).toBe(d - 1);
      }),
      { numRuns: 1000 },
    );
  });

  it("returns the first millisecond of every day since daylight saving time began in Los Angeles", () => {
    const wrong = [];
    for (let d = dayOfCivil(1883, 1, 1); d < dayOfCivil(2040, 1, 1); d++) {
      if (dayOf(startOfDay(d)) !== d || dayOf(startOfDay(d) - 1) !== d - 1) wrong.push(civilDate(d));
    }
    expect(wrong).toEqual([]);
  });

  test.each([
    [[2026, 3, 7], 24],
    [[2026, 3, 8], 23],
    [[2026, 3, 9], 24],
    [[2026, 11, 1], 25],
    [[2026, 11, 2], 24],
    [[1942, 2, 9], 23],
    [[1945, 8, 14], 24],
    [[1945, 9, 30], 25],
  ] as const)("the day %j has %d hours", ([year, month, dayOfMonth], hours) => {
    const d = dayOfCivil(year, month, dayOfMonth);
    expect((startOfDay(d + 1) - startOfDay(d)) / HOUR).toBe(hours);
  });
});

describe("dayOfCivil", () => {
  it("counts days in the Gregorian calendar, and is the inverse of civilDate", () => {
    fc.assert(
      fc.property(day, (d) => {
        const { year, month, day: dayOfMonth } = civilDate(d);
        expect(dayOfCivil(year, month, dayOfMonth)).toBe(d);
        expect(d).toBe(utc(year, month, dayOfMonth) / (24 * HOUR));
      }),
    );
  });

  it("returns the first and last day that a google.type.Date can express", () => {
    expect(civilDate(FIRST_DAY)).toEqual({ year: 1, month: 1, day: 1 });
    expect(civilDate(LAST_DAY)).toEqual({ year: 9999, month: 12, day: 31 });
    expect(dayOfCivil(1970, 1, 1)).toBe(0);
  });
});

test.each([
  ["before midnight", "2026-03-05T07:59:59.999Z", 0, [2026, 3, 3]],
  ["at midnight", "2026-03-05T08:00:00.000Z", 0, [2026, 3, 4]],
  ["at midnight, before the delay is over", "2026-03-05T08:00:00.000Z", 1, [2026, 3, 3]],
  ["when the delay is over", "2026-03-05T10:00:00.000Z", 2 * HOUR, [2026, 3, 4]],
  ["before a day of 23 hours ends", "2026-03-09T06:59:59.999Z", 0, [2026, 3, 7]],
  ["when a day of 23 hours ends", "2026-03-09T07:00:00.000Z", 0, [2026, 3, 8]],
  ["before a day of 25 hours ends", "2026-11-02T07:59:59.999Z", 0, [2026, 10, 31]],
  ["when a day of 25 hours ends", "2026-11-02T08:00:00.000Z", 0, [2026, 11, 1]],
  [
    "with a delay across the start of daylight saving time",
    "2026-03-08T13:00:00.000Z",
    5 * HOUR,
    [2026, 3, 7],
  ],
  ["with a delay of days", "2026-03-05T08:00:00.000Z", 48 * HOUR, [2026, 3, 2]],
])("lastListedDay returns the expected day %s", (_, now, settleDelay, [year, month, day]) => {
  expect(civilDate(lastListedDay(Date.parse(now), settleDelay))).toEqual({ year, month, day });
});

describe("parseDay", () => {
  it("parses every date that formatDay formats", () => {
    fc.assert(
      fc.property(fc.integer({ min: FIRST_DAY, max: LAST_DAY }), (day) => {
        expect(parseDay(formatDay(day))).toBe(day);
      }),
    );
  });

  test.each([
    "",
    "2025-3-1",
    "2025-02-29",
    "2025-13-01",
    "2025-00-10",
    "2025-01-00",
    "20250301",
    "0000-01-01",
    "x",
  ])("rejects %j", (text) => {
    expect(parseDay(text)).toBeUndefined();
  });
});
