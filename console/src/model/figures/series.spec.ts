import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CATEGORY_GROUPS, OUTCOMES, PERFORMANCE } from "../numbers/categories.js";
import { ACCEPTED, readingsOf, seriesOf, seriesShare, wordsOf } from "./series.js";

const COUNTS = { countMessagesAccepted: 200, countNotificationsAccepted: 50, delivered: 150, pending: 40 };

describe("a group's series", () => {
  it("end with unaccounted messages if categories are exclusive", () => {
    for (const group of CATEGORY_GROUPS)
      expect(seriesOf(group).at(-1)?.title === "Unaccounted for").toBe(group.exclusive);
  });

  it("add up to 100 percent if categories are exclusive", () => {
    const counts = fc.array(fc.nat(1_000_000), {
      minLength: OUTCOMES.categories.length + 1,
      maxLength: OUTCOMES.categories.length + 1,
    });
    fc.assert(
      fc.property(counts, ([rest = 0, ...each]) => {
        const accepted = each.reduce((sum, count) => sum + count, rest);
        fc.pre(accepted > 0);
        const named = OUTCOMES.categories.map(({ name }, index) => [name, each[index] ?? 0]);
        const day = { ...Object.fromEntries(named), countMessagesAccepted: accepted };
        const shares = seriesOf(OUTCOMES).map((series) => seriesShare(series, day) ?? Number.NaN);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(100, 6);
      }),
    );
  });

  it("differ in color, and in point shape if categories overlap", () => {
    for (const group of CATEGORY_GROUPS) {
      const series = seriesOf(group);
      expect(new Set(series.map(({ look }) => look.color)).size).toBe(series.length);
    }
    const marks = seriesOf(PERFORMANCE).map(({ look }) => look.mark);
    expect(new Set(marks).size).toBe(marks.length);
  });

  it("have readings with shares and counts, or only counts without a denominator", () => {
    expect(readingsOf(seriesOf(OUTCOMES), COUNTS).map(wordsOf)).toEqual([
      "Delivered 75.0% (150)",
      "Pending 20.0% (40)",
      "Collapsed 0.0% (0)",
      "Dropped: too many pending 0.0% (0)",
      "Dropped: app force stopped 0.0% (0)",
      "Dropped: device inactive 0.0% (0)",
      "Dropped: expired 0.0% (0)",
      "Unaccounted for 5.0% (10)",
    ]);
    expect(readingsOf(ACCEPTED, COUNTS).map(wordsOf)).toEqual(["Accepted messages 200", "Notifications 50"]);
  });
});
