import { describe, expect, it } from "vitest";
import { formatRange } from "../days/format-day.js";
import { type Outside, outsideOf, standingOf } from "./standing.js";

const EARLIER = { first: 20_000, last: 20_027 };
const days = (outside: number, of: number): Outside => ({ outside, of, period: "day" });

describe("a range without incidents", () => {
  it("is as usual if all days are within the band", () => {
    expect(standingOf(undefined, EARLIER, days(0, 28))).toEqual({
      short: "as usual",
      text: "The app and all its labels stayed within their usual range.",
    });
  });

  it("is as usual if chance explains the days outside of the band, and names their number", () => {
    expect(standingOf(undefined, EARLIER, days(1, 5))).toEqual({
      short: "as usual",
      text: "No incident. 1 of 5 days is outside of the usual band. One in twenty is expected.",
    });
    expect(standingOf(undefined, EARLIER, days(3, 28)).short).toBe("as usual");
  });

  it("is not as usual on a single day outside of the band, or with many", () => {
    expect(standingOf(undefined, EARLIER, days(1, 1))).toEqual({
      short: undefined,
      text: "No incident. The day is outside of the usual band.",
    });
    expect(standingOf(undefined, EARLIER, days(9, 28)).short).toBeUndefined();
  });

  it("agrees with the verdict on the delivered share", () => {
    expect(standingOf("worse", EARLIER, days(2, 28))).toEqual({
      short: "less than before",
      text:
        `No incident. The share is lower than on ${formatRange(EARLIER)}, beyond what chance explains. ` +
        "2 of 28 days are outside of the usual band.",
    });
    expect(standingOf("better", EARLIER, undefined)).toEqual({
      short: "more than before",
      text: `No incident. The share is higher than on ${formatRange(EARLIER)}, beyond what chance explains.`,
    });
  });
});

describe("outsideOf", () => {
  const row = (day: number, delivered: number) => ({
    day,
    counts: { countMessagesAccepted: 100, delivered },
  });

  it("counts days below and above the band, without days that have no messages", () => {
    const rows = [row(1, 90), row(2, 70), row(3, 99), { day: 4, counts: {} }];
    expect(outsideOf(rows, { first: 1, last: 4 }, { low: 80, high: 95 })).toEqual(days(2, 3));
  });

  it("counts weeks in a range that the chart shows by week", () => {
    const rows = Array.from({ length: 140 }, (_, day) => row(day, day < 7 ? 10 : 90));
    const found = outsideOf(rows, { first: 0, last: 139 }, { low: 80, high: 95 });
    expect(found.period).toBe("week");
    expect(found.outside).toBeGreaterThan(0);
    expect(found.of).toBeLessThanOrEqual(21);
  });
});
