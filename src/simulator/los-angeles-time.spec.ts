import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { EventTimeFormat, losAngelesDays } from "./los-angeles-time.js";

const HOUR = 3_600_000;

describe("losAngelesDays", () => {
  test.each([
    { date: "2025-01-15", start: "2025-01-15T08:00:00.000Z", hours: 24, weekday: 3 },
    { date: "2025-03-08", start: "2025-03-08T08:00:00.000Z", hours: 24, weekday: 6 },
    { date: "2025-03-09", start: "2025-03-09T08:00:00.000Z", hours: 23, weekday: 0 },
    { date: "2025-03-10", start: "2025-03-10T07:00:00.000Z", hours: 24, weekday: 1 },
    { date: "2025-11-02", start: "2025-11-02T07:00:00.000Z", hours: 25, weekday: 0 },
    { date: "2025-11-03", start: "2025-11-03T08:00:00.000Z", hours: 24, weekday: 1 },
    { date: "2024-02-29", start: "2024-02-29T08:00:00.000Z", hours: 24, weekday: 4 },
  ])("$date starts at $start and has $hours hours", ({ date, start, hours, weekday }) => {
    const [day] = losAngelesDays(date, 1);
    expect(day).toMatchObject({ start: Date.parse(start), end: Date.parse(start) + hours * HOUR, weekday });
  });

  it("returns days without gaps, also across years", () => {
    const days = losAngelesDays("2024-12-20", 400);
    expect(days.at(12)).toMatchObject({ year: 2025, month: 1, day: 1 });
    expect(days.slice(1).map((day) => day.start)).toEqual(days.slice(0, -1).map((day) => day.end));
  });

  test.each(["", "2025-02-29", "2025-13-01", "2025-3-3", "2025-03-03T00:00", "yesterday"])(
    "rejects %j",
    (date) => {
      expect(() => losAngelesDays(date, 1)).toThrow(RangeError);
    },
  );
});

const instants = fc.integer({ min: 0, max: Date.UTC(9999, 0) });

describe("EventTimeFormat", () => {
  const time = new EventTimeFormat();

  it("formats UTC like Date", () => {
    fc.assert(
      fc.property(instants, (instant) => {
        expect(time.format(instant, 0)).toBe(new Date(instant).toISOString());
      }),
    );
  });

  it("formats the same instant with any offset", () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: -720, max: 840 }), (instant, offset) => {
        expect(Date.parse(time.format(instant, offset))).toBe(instant);
      }),
    );
    expect(time.format(Date.UTC(2025, 2, 9, 1, 2, 3, 4), 330)).toBe("2025-03-09T06:32:03.004+05:30");
    expect(time.format(Date.UTC(2025, 2, 9, 1, 2, 3, 4), -480)).toBe("2025-03-08T17:02:03.004-08:00");
  });
});
