import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { periodsIn } from "#console/model/days/period.js";
import { formatDay } from "#src/model/day.js";
import { dayScaleOf, valueScaleOf } from "./scales.js";

const anyScale = fc
  .record({
    first: fc.integer({ min: -1_000, max: 30_000 }),
    days: fc.integer({ min: 1, max: 3_000 }),
    start: fc.integer({ min: 0, max: 100 }),
    width: fc.integer({ min: 1, max: 3_000 }),
  })
  .map(({ first, days, start, width }) => ({
    range: { first, last: first + days - 1 },
    start,
    end: start + width,
    scale: dayScaleOf({ first, last: first + days - 1 }, start, start + width),
  }));

describe("dayScaleOf", () => {
  it("returns each day at its bar's center", () => {
    fc.assert(
      fc.property(anyScale, fc.nat(), ({ range, scale }, some) => {
        const day = range.first + (some % (range.last - range.first + 1));
        expect(scale.dayAt(scale.center(day))).toBe(scale.periodOf(day).first);
      }),
    );
  });

  it("keeps bars in order, within the plot and apart", () => {
    fc.assert(
      fc.property(anyScale, ({ range, start, end, scale }) => {
        let edge = start;
        for (const { first } of periodsIn(range)) {
          expect(scale.left(first)).toBeGreaterThanOrEqual(edge - 1e-6);
          expect(scale.width(first)).toBeGreaterThan(0);
          expect(scale.width(first)).toBeLessThanOrEqual(scale.step);
          edge = scale.left(first) + scale.width(first);
        }
        expect(edge).toBeLessThanOrEqual(end + 1e-6);
      }),
    );
  });

  it("returns the nearest day for positions outside the plot", () => {
    const scale = dayScaleOf({ first: 10, last: 19 }, 40, 140);
    expect([-5, 39, 45, 139, 141, 1_000].map((x) => scale.dayAt(x))).toEqual([10, 10, 10, 19, 19, 19]);
  });

  it("has ticks at the last day and earlier days, or months, at least a label's width apart", () => {
    fc.assert(
      fc.property(anyScale, fc.integer({ min: 10, max: 120 }), ({ range, scale }, labelWidth) => {
        const ticks = scale.ticks(labelWidth);
        if (scale.period === 1) expect(ticks.at(-1)).toBe(range.last);
        ticks.slice(1).forEach((day, index) => {
          expect(scale.start(day) - scale.start(ticks[index] ?? day)).toBeGreaterThanOrEqual(
            labelWidth - 1e-6,
          );
        });
      }),
    );
  });

  it.each([
    [7, [14, 15, 16, 17, 18, 19, 20]],
    [14, [8, 10, 12, 14, 16, 18, 20]],
    [28, [-1, 6, 13, 20]],
  ])("has ticks in familiar steps for a range of %d days", (days, ticks) => {
    expect(dayScaleOf({ first: 21 - days, last: 20 }, 0, 480).ticks(60)).toEqual(ticks);
  });

  it("has ticks on the first day of some months in a long range", () => {
    // 2026-01-15 to 2027-01-14.
    const scale = dayScaleOf({ first: 20_468, last: 20_832 }, 0, 365);
    expect(scale.ticks(60).map(formatDay)).toEqual(["2026-04-01", "2026-07-01", "2026-10-01", "2027-01-01"]);
  });
});

describe("valueScaleOf", () => {
  it.each([
    { max: 1_037, limit: undefined, ticks: [0, 500, 1_000, 1_500] },
    { max: 0, limit: undefined, ticks: [0, 0.5, 1] },
    { max: 98, limit: 100, ticks: [0, 50, 100] },
    { max: 100, limit: 100, ticks: [0, 50, 100] },
    { max: 7.3, limit: 100, ticks: [0, 2, 4, 6, 8] },
  ])("has ticks $ticks for values up to $max", ({ max, limit, ticks }) => {
    const scale = valueScaleOf(max, 20, 200, limit);
    expect(scale.ticks).toEqual(ticks);
    expect(scale.y(0)).toBe(200);
    expect(scale.y(ticks.at(-1) ?? 0)).toBe(20);
  });
});
