import { describe, expect, it } from "vitest";
import { keyFiguresOf, verdictOf } from "./key-figures.js";

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

  it.each([
    ["more delivered is better, less is worse", { delivered: 90 }, { delivered: 80 }, [2, "better", "worse"]],
    [
      "more unaccounted for is worse, less is better",
      { delivered: 80 },
      { delivered: 90 },
      [4, "worse", "better"],
    ],
    [
      "a change of less than a point is neither",
      { delivered: 90 },
      { delivered: 90.9 },
      [2, undefined, undefined],
    ],
    ["more messages are neither", { countMessagesAccepted: 200 }, {}, [0, undefined, undefined]],
  ] as const)("have a verdict: %s", (_, one, other, [index, verdict, reverse]) => {
    const [a, b] = [one, other].map((counts) => ({ countMessagesAccepted: 100, ...counts }));
    const verdicts = [keyFiguresOf(a, b), keyFiguresOf(b, a)].map((figures) => {
      const figure = figures[index];
      return figure && verdictOf(figure);
    });
    expect(verdicts).toEqual([verdict, reverse]);
  });

  it("can be computed for a single day", () => {
    expect(keyFiguresOf(NOW, BEFORE).map(({ valueIn }) => valueIn(BEFORE))).toEqual([100, 100, 80, 40, 0]);
  });
});
