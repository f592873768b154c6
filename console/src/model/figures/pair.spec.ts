import { describe, expect, it } from "vitest";
import { OUTCOMES } from "../numbers/categories.js";
import { commonRange, pairSeriesOf, pairsOf, sumOfPairs } from "./pair.js";
import { ACCEPTED, seriesOf, seriesShare } from "./series.js";

const row = (day: number, delivered: number) => ({ day, counts: { countMessagesAccepted: 100, delivered } });

describe("a comparison of two sides", () => {
  it("is aligned by first days, with the longer side's days", () => {
    const left = { range: { first: 10, last: 12 }, days: [row(10, 90), row(12, 80)] };
    const right = { range: { first: 20, last: 21 }, days: [row(20, 70), row(21, 60)] };
    const pairs = pairsOf(left, right);
    expect(pairs).toEqual([
      { day: 10, counts: { left: left.days[0]?.counts, right: right.days[0]?.counts } },
      { day: 11, counts: { left: {}, right: right.days[1]?.counts } },
      { day: 12, counts: { left: left.days[1]?.counts, right: {} } },
    ]);
    expect(sumOfPairs(pairs)).toEqual({
      left: { countMessagesAccepted: 200, delivered: 170 },
      right: { countMessagesAccepted: 200, delivered: 130 },
    });
  });

  it("is drawn with the right side's days if both are equally long", () => {
    expect(commonRange({ first: 1, last: 7 }, { first: 8, last: 14 })).toEqual({ first: 8, last: 14 });
  });

  it("has a series for each side, with different titles", () => {
    const [delivered] = seriesOf(OUTCOMES);
    const [messages] = ACCEPTED;
    if (delivered === undefined || messages === undefined) throw new Error("a series is missing");
    const pair = { left: row(1, 90).counts, right: row(1, 50).counts };
    const shares = pairSeriesOf(delivered, { left: "a", right: "b" });
    expect(shares.map((series) => [series.title, seriesShare(series, pair)])).toEqual([
      ["a", 90],
      ["b", 50],
    ]);
    const counts = pairSeriesOf(messages, { left: "a", right: "a" });
    expect(counts.map((series) => [series.title, series.countOf(pair), series.base])).toEqual([
      ["a", 100, undefined],
      ["a (right)", 100, undefined],
    ]);
  });
});
