import { describe, expect, it } from "vitest";
import { parseDay } from "#src/model/day.js";

import { OUTCOMES } from "../numbers/categories.js";
import { type ChartDay, caveatsOf, rowsByPeriod, totalOf } from "./chart-day.js";
import { seriesOf, seriesShare } from "./series.js";

const [DELIVERED] = seriesOf(OUTCOMES);
const MONDAY = parseDay("2026-03-02") ?? Number.NaN;
/** Weekends have few messages, and most of these are lost. */
const rows: readonly ChartDay[] = Array.from({ length: 200 }, (_, index) => {
  const isWeekend = index % 7 > 4;
  return {
    day: MONDAY + index,
    counts: isWeekend
      ? { countMessagesAccepted: 10, delivered: 1 }
      : { countMessagesAccepted: 1_000, delivered: 900 },
  };
});

describe("chart rows", () => {
  it("are days in a range of 120 days", () => {
    const range = { first: MONDAY + 10, last: MONDAY + 129 };
    expect(rowsByPeriod(rows, range, totalOf)).toEqual(rows.slice(10, 130));
  });

  it("are weekly sums in a longer range, not averages of shares", () => {
    const [first, second] = rowsByPeriod(rows, { first: MONDAY, last: MONDAY + 150 }, totalOf);
    expect([first?.day, second?.day]).toEqual([MONDAY, MONDAY + 7]);
    expect(first?.counts).toEqual({ countMessagesAccepted: 5_020, delivered: 4_502 });
    expect(DELIVERED && first && seriesShare(DELIVERED, first.counts)).toBeCloseTo(89.68, 2);
  });

  it("mark incomplete weeks, and skip weeks without days", () => {
    const gap = (day: number): boolean => day >= MONDAY + 7 && day < MONDAY + 16;
    const weeks = rowsByPeriod(
      rows.filter(({ day }) => !gap(day)),
      { first: MONDAY + 4, last: MONDAY + 140 },
      totalOf,
    );
    expect(weeks.slice(0, 3).map(({ day, entryDays }) => [day - MONDAY, entryDays])).toEqual([
      [4, 3],
      [14, 5],
      [21, 7],
    ]);
    expect(weeks.slice(0, 3).map((week) => caveatsOf(week, []))).toEqual([
      ["3 of 7 days"],
      ["5 of 7 days"],
      [],
    ]);
  });

  it("mark shares of few messages", () => {
    const caveats = rows.slice(0, 7).map((row) => caveatsOf(row, seriesOf(OUTCOMES)));
    expect(caveats.slice(3)).toEqual([[], [], ["Fewer than 100 messages"], ["Fewer than 100 messages"]]);
  });
});
