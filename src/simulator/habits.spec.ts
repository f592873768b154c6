import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { timetable } from "./habits.js";
import { losAngelesDays } from "./los-angeles-time.js";

describe("timetable", () => {
  it("covers the days without gaps and plans exactly the requested messages", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e12 }), fc.integer({ min: 1, max: 10 }), (messages, count) => {
        const days = losAngelesDays("2025-03-06", count);
        const slices = [...timetable(days, messages)];
        expect(slices.reduce((sum, slice) => sum + slice.messages, 0)).toBe(messages);
        expect(slices.every((slice) => slice.messages >= 0)).toBe(true);
        expect(slices[0]?.start).toBe(days[0]?.start);
        expect(slices.at(-1)?.end).toBe(days.at(-1)?.end);
        expect(slices.slice(1).map((slice) => slice.start)).toEqual(
          slices.slice(0, -1).map((slice) => slice.end),
        );
      }),
      { numRuns: 20 },
    );
  });

  it("has a weekly rhythm: Fridays are busier than Sundays, evenings than nights", () => {
    const slices = [...timetable(losAngelesDays("2025-06-02", 7), 1_000_000)];
    const messagesOf = (day: number) =>
      slices.filter((slice) => slice.day === day).reduce((sum, slice) => sum + slice.messages, 0);
    expect(messagesOf(4)).toBeGreaterThan(messagesOf(6) * 1.3);
    expect(slices[19 * 4]?.messages).toBeGreaterThan((slices[3 * 4]?.messages ?? 0) * 5);
  });
});
