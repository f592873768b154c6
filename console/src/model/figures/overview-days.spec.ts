import { describe, expect, it } from "vitest";
import { daysToAsk, isEvaluated, overviewOf, possibleStartOf } from "./overview-days.js";

const rows = Array.from({ length: 100 }, (_, day) => ({
  day,
  counts: { countMessagesAccepted: 100, delivered: day === 60 || day === 10 ? 50 : 90 },
}));

describe("overview days", () => {
  it.each([
    ["a week, also four weeks before", { first: 100, last: 106 }, { first: 72, last: 106 }],
    ["four weeks, also the four before", { first: 100, last: 127 }, { first: 72, last: 127 }],
    ["a quarter, also the one before", { first: 100, last: 189 }, { first: 10, last: 189 }],
    [
      "none that no date stands for",
      { first: -719_160, last: -719_160 },
      { first: -719_162, last: -719_160 },
    ],
  ])("include, for %s", (_what, range, asked) => {
    expect(daysToAsk(range)).toEqual(asked);
  });

  it("are split into the range and the earlier range", () => {
    const { rows: shown, total, before, earlierRows, asked } = overviewOf(rows, { first: 60, last: 69 });
    expect(shown.map(({ day }) => day)).toEqual([60, 61, 62, 63, 64, 65, 66, 67, 68, 69]);
    expect(total).toEqual({ countMessagesAccepted: 1_000, delivered: 860 });
    expect(before).toEqual({ countMessagesAccepted: 1_000, delivered: 900 });
    expect(earlierRows).toHaveLength(10);
    expect(asked).toEqual(rows);
  });

  it.each([
    ["on the first requested day", 40, undefined],
    ["before the range", 50, 50],
    ["within the range", 71, 71],
  ])("have a possible start unless their messages start %s", (_, first, start) => {
    const range = { first: 68, last: 74 };
    expect(possibleStartOf(overviewOf(rows.slice(first, 75), range))).toBe(start);
  });

  it.each([
    ["with 14 days of messages before the last one", rows.slice(0, 15), 14, true],
    ["with fewer", rows.slice(0, 14), 14, false],
    ["too long ago", rows, 500, false],
  ])("are evaluated only with enough earlier days: %s", (_, days, listed, expected) => {
    expect(isEvaluated(overviewOf(days, { first: 7, last: 99 }), listed)).toBe(expected);
  });
});
