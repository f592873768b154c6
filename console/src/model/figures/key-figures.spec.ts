import { describe, expect, it } from "vitest";
import { type ChartDay, totalOf } from "./chart-day.js";
import type { Incident } from "./incident.js";
import { changeText, keyFiguresOf, trendOf, verdictOf } from "./key-figures.js";
import { fall } from "./testing/fall.js";

const NOW = {
  countMessagesAccepted: 200,
  countNotificationsAccepted: 50,
  delivered: 150,
  deliveredNoDelay: 100,
  pending: 40,
};
const BEFORE = {
  countMessagesAccepted: 100,
  countNotificationsAccepted: 100,
  delivered: 80,
  deliveredNoDelay: 40,
  pending: 20,
};

const figures = (...of: Parameters<typeof keyFiguresOf>): (number | undefined)[][] =>
  keyFiguresOf(...of).map(({ value, change }) => [value, change]);

describe("key figures", () => {
  it("have a change in percent for counts, and in points for shares", () => {
    expect(keyFiguresOf(NOW, BEFORE).map(({ title, of }) => [title, of])).toEqual([
      ["Accepted messages", undefined],
      ["Notifications", undefined],
      ["Delivered", "of accepted messages"],
      ["Delivered without delay", "of accepted messages"],
      ["Unaccounted for", "of accepted messages"],
    ]);
    expect(figures(NOW, BEFORE)).toEqual([
      [200, 100],
      [50, -50],
      [75, -5],
      [50, 10],
      [5, 5],
    ]);
  });

  it("have no change without accepted messages in the earlier range", () => {
    expect(figures(NOW, {})).toEqual([
      [200, undefined],
      [50, undefined],
      [75, undefined],
      [50, undefined],
      [5, undefined],
    ]);
  });

  it("have changes only for shares if the sums cover different numbers of days", () => {
    expect(keyFiguresOf(NOW, BEFORE, false).map(({ change }) => change)).toEqual([
      undefined,
      undefined,
      -5,
      10,
      5,
    ]);
  });

  it("change by the difference between shares as shown", () => {
    const shares = [
      { countMessagesAccepted: 10_000, delivered: 9_344 },
      { countMessagesAccepted: 10_000, delivered: 9_336 },
    ] as const;
    // Both are shown as 93.4 %.
    expect(keyFiguresOf(...shares)[2]?.change).toBe(0);
  });

  it("have no shares without accepted messages", () => {
    expect(figures({}, BEFORE)).toEqual([
      [0, -100],
      [0, -100],
      [undefined, undefined],
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  it("are undefined while nothing has loaded", () => {
    expect(figures(undefined, undefined)).toEqual(Array(5).fill([undefined, undefined]));
  });

  it("are uncertain with fewer than 100 earlier messages", () => {
    const few = { countMessagesAccepted: 99, delivered: 90 };
    const figure = keyFiguresOf(NOW, few)[2];
    expect(figure?.isUncertain).toBe(true);
    expect(figure && changeText(figure)).toMatch(/pts, few messages before$/);
    expect(keyFiguresOf(NOW, BEFORE).map(({ isUncertain }) => isUncertain)).toEqual(Array(5).fill(false));
  });

  it("have trends by week in a long range, counts without incomplete weeks", () => {
    // 2024-10-04, a Friday.
    const range = { first: 20_000, last: 20_129 };
    const rows = Array.from({ length: 130 }, (_, index) => ({ day: range.first + index, counts: BEFORE }));
    const [messages, , delivered] = keyFiguresOf(NOW, BEFORE).map((figure) => trendOf(figure, rows, range));
    // The first week has three days, the last one has one.
    expect(delivered?.length).toBe(20);
    expect(messages?.map(({ share }) => share)).toEqual(Array(18).fill(700));
    const short = { first: range.first, last: range.first + 1 };
    expect(keyFiguresOf(NOW, BEFORE).map((figure) => trendOf(figure, rows, short).length)).toEqual(
      Array(5).fill(2),
    );
  });

  it("can be computed for a single day", () => {
    expect(keyFiguresOf(NOW, BEFORE).map(({ valueIn }) => valueIn(BEFORE))).toEqual([100, 100, 80, 40, 0]);
  });
});

describe("a key figure's verdict", () => {
  const FIRST = 20_000;
  /** Days with alternating shares around `delivered` of 1,000 messages. */
  const days = (first: number, length: number, delivered: number, spread = 10): ChartDay[] =>
    Array.from({ length }, (_, index) => ({
      day: first + index,
      counts: { countMessagesAccepted: 1_000, delivered: delivered + (index % 2 === 0 ? spread : -spread) },
    }));
  const ongoing = fall({ firstDay: FIRST, usual: 85, usualLow: 80, usualHigh: 90, excess: 300 });
  const verdictsOf = (now: ChartDay[], before: ChartDay[], incidents: readonly Incident[] = []) => {
    const figures = keyFiguresOf(totalOf(now), totalOf(before));
    return figures.map((figure) => verdictOf(figure, { now, before, incidents, own: incidents }));
  };
  const BEFORE_28 = days(FIRST - 28, 28, 850);

  it("is better or worse if the comparison's test is significant", () => {
    expect(verdictsOf(days(FIRST, 28, 750), BEFORE_28)).toEqual([
      undefined,
      undefined,
      "worse",
      undefined,
      "worse",
    ]);
    expect(verdictsOf(days(FIRST, 28, 950), BEFORE_28)[2]).toBe("better");
  });

  it("is neither if chance may explain the change, however large", () => {
    expect(verdictsOf(days(FIRST, 5, 780, 200), BEFORE_28)[2]).toBeUndefined();
  });

  it("is not hidden by the incident that causes the change", () => {
    const now = [...days(FIRST - 24, 24, 850), ...days(FIRST, 4, 500)];
    const before = days(FIRST - 52, 28, 850);
    expect(verdictsOf(now, before)[2]).toBeUndefined();
    expect(verdictsOf(now, before, [ongoing])[2]).toBe("worse");
  });

  it("is worse on too few days only with an incident of these messages", () => {
    expect(verdictsOf(days(FIRST, 1, 500), days(FIRST - 1, 1, 850))[2]).toBeUndefined();
    expect(verdictsOf(days(FIRST, 1, 500), days(FIRST - 1, 1, 850), [ongoing])[2]).toBe("worse");
    expect(verdictsOf(days(FIRST, 1, 850), days(FIRST - 1, 1, 500), [ongoing])[2]).toBeUndefined();
  });

  it("is neither with fewer than 100 earlier messages", () => {
    const few = Array.from({ length: 7 }, (_, index) => ({
      day: FIRST - 7 + index,
      counts: { countMessagesAccepted: 10, delivered: 10 },
    }));
    expect(verdictsOf(days(FIRST, 28, 300), few)[2]).toBeUndefined();
  });
});
