import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { formatDay, parseDay } from "#src/model/day.js";
import { type DayRange, daysIn } from "./day-range.js";
import { monthsIn, periodOf, periodsIn } from "./period.js";

const rangeOf = (first: string, last: string): DayRange => ({
  first: parseDay(first) ?? Number.NaN,
  last: parseDay(last) ?? Number.NaN,
});
const isoOf = ({ first, last }: DayRange): string => `${formatDay(first)}/${formatDay(last)}`;

describe("chart periods", () => {
  it("are days in ranges up to 120 days", () => {
    const periods = periodsIn({ first: 20_000, last: 20_119 });
    expect(periods).toHaveLength(120);
    expect(periods[1]).toEqual({ first: 20_001, last: 20_001 });
  });

  it("are weeks from Monday to Sunday in longer ranges, cut at both ends", () => {
    // A Friday and a Wednesday.
    const periods = periodsIn(rangeOf("2026-05-01", "2026-09-02")).map(isoOf);
    expect(periods.slice(0, 2)).toEqual(["2026-05-01/2026-05-03", "2026-05-04/2026-05-10"]);
    expect(periods.at(-1)).toBe("2026-08-31/2026-09-02");
  });

  it("cover every day in the range once, also before 1970", () => {
    fc.assert(
      fc.property(fc.integer({ min: -50_000, max: 50_000 }), fc.nat(1_000), (first, length) => {
        const range = { first, last: first + length };
        const periods = periodsIn(range);
        expect(periods[0]?.first).toBe(range.first);
        expect(periods.at(-1)?.last).toBe(range.last);
        expect(periods.reduce((sum, period) => sum + daysIn(period), 0)).toBe(daysIn(range));
        for (const period of periods) expect(periodOf(period.last, range)).toEqual(period);
        expect(periods.slice(1, -1).every((period) => [1, 7].includes(daysIn(period)))).toBe(true);
      }),
    );
  });
});

test.each([
  [1, "2025-11-15", "2026-02-01", ["2025-12-01", "2026-01-01", "2026-02-01"]],
  [3, "2025-11-15", "2026-08-01", ["2026-01-01", "2026-04-01", "2026-07-01"]],
  [12, "2025-01-01", "2027-12-31", ["2025-01-01", "2026-01-01", "2027-01-01"]],
  [24, "2023-01-01", "2027-12-31", ["2024-01-01", "2026-01-01"]],
  [1, "2026-02-02", "2026-02-27", []],
])("monthsIn finds the first day of every %d months", (every, first, last, expected) => {
  expect(monthsIn(rangeOf(first, last), every).map(formatDay)).toEqual(expected);
});
