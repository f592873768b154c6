import fc from "fast-check";
import { expect, test } from "vitest";
import { civilDate, dayOfCivil, formatDay, parseDay, weekdayOf } from "#src/model/day.js";

import { addMonths, weeksOfMonth } from "./month.js";

const days = fc.integer({ min: dayOfCivil(2, 1, 1), max: dayOfCivil(9998, 12, 31) });

test.each<[day: string, months: number, expected: string]>([
  ["2026-01-31", 1, "2026-02-28"],
  ["2024-02-29", 12, "2025-02-28"],
  ["2026-01-05", -1, "2025-12-05"],
  ["2026-11-30", 1, "2026-12-30"],
  ["2026-03-31", -13, "2025-02-28"],
])("addMonths moves %s by %d months to %s", (day, months, expected) => {
  expect(formatDay(addMonths(parseDay(day) ?? Number.NaN, months))).toBe(expected);
});

test("weeksOfMonth lists each day of the month once, below its weekday", () => {
  fc.assert(
    fc.property(days, (day) => {
      const weeks = weeksOfMonth(day);
      expect(weeks.map((week) => week.length)).toEqual([7, 7, 7, 7, 7, 7]);
      const listed = weeks.flatMap((week) => week.filter((each) => each !== undefined));
      const { year, month } = civilDate(day);
      const next = month === 12 ? dayOfCivil(year + 1, 1, 1) : dayOfCivil(year, month + 1, 1);
      const first = dayOfCivil(year, month, 1);
      expect(listed).toEqual(Array.from({ length: next - first }, (_, index) => first + index));
      for (const week of weeks) {
        for (const [weekday, each] of week.entries()) {
          if (each !== undefined) expect(weekdayOf(each)).toBe(weekday);
        }
      }
    }),
  );
});
