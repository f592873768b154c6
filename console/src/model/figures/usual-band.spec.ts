import { describe, expect, it } from "vitest";
import type { Incident } from "./incident.js";
import { fall } from "./testing/fall.js";
import { bandsOf, MIN_BASIS, usualBandOf } from "./usual-band.js";

/** Days from day 0 with these delivered shares of 1,000 messages. */
const daysOf = (shares: readonly number[]) =>
  shares.map((share, day) => ({ day, counts: { countMessagesAccepted: 1_000, delivered: 10 * share } }));

const incident = (firstDay: number, lastDay: number | undefined, more: Partial<Incident> = {}) =>
  fall({ firstDay, lastDay, usualLow: 88, usualHigh: 92, ...more });

/** Median 90. Every other day differs by 1 point. */
const STEADY = Array.from({ length: 28 }, (_, day) => 89 + (day % 3));

describe("the usual band", () => {
  it("is the median ± 1.96 standard deviations, estimated by the median absolute deviation", () => {
    const { low, high } = usualBandOf(daysOf(STEADY), []) ?? { low: 0, high: 0 };
    expect([low, high]).toEqual([90 - 1.96 * 1.4826, 90 + 1.96 * 1.4826]);
  });

  it("ignores days with incidents, for any label", () => {
    const fallen = STEADY.map((share, day) => (day >= 15 ? 40 : share));
    expect(usualBandOf(daysOf(fallen), [incident(15, undefined, { label: "promo" })])).toEqual(
      usualBandOf(daysOf(STEADY.slice(0, 15)), []),
    );
  });

  it.each([
    ["too few days", daysOf(STEADY.slice(0, MIN_BASIS - 1)), []],
    ["too few days without incident", daysOf(STEADY), [incident(MIN_BASIS - 1, undefined)]],
    ["days without messages", daysOf(STEADY).map(({ day }) => ({ day, counts: {} })), []],
  ])("is undefined for %s", (_, days, incidents) => {
    expect(usualBandOf(days, incidents)).toBeUndefined();
  });

  it("stays within 0 and 100 %", () => {
    const wild = Array.from({ length: 28 }, (_, day) => (day % 2 === 0 ? 100 : 0));
    expect(usualBandOf(daysOf(wild), [])).toEqual({ low: 0, high: 100 });
  });
});

describe("bands in a range", () => {
  const usual = { low: 85, high: 95 };

  it("are the server's on days with a fall, and the usual band on other days", () => {
    expect(bandsOf({ first: 0, last: 9 }, usual, [incident(3, 5)])).toEqual([
      { range: { first: 0, last: 2 }, ...usual },
      { range: { first: 3, last: 5 }, low: 88, high: 92 },
      { range: { first: 6, last: 9 }, ...usual },
    ]);
  });

  it("are only the server's without a usual band", () => {
    expect(bandsOf({ first: 0, last: 9 }, undefined, [incident(8, undefined)])).toEqual([
      { range: { first: 8, last: 9 }, low: 88, high: 92 },
    ]);
  });

  it("ignore incidents in other outcomes", () => {
    expect(bandsOf({ first: 0, last: 9 }, usual, [incident(3, 5, { outcome: "PENDING" })])).toEqual([
      { range: { first: 0, last: 9 }, ...usual },
    ]);
  });
});
