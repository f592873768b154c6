import { describe, expect, it, test } from "vitest";
import { Chance } from "../../../bench/incidents/chance.js";
import { sumOf } from "../../../bench/incidents/random-traffic.js";
import { type DailyCounts, OUTCOMES, type Outcome } from "./daily-counts.js";
import { detectIncidents } from "./detect-incidents.js";
import type { Incident } from "./incident.js";

const FIRST_DAY = 20_000;

/** Messages of a day: their number, and the probability of each outcome. */
interface Day {
  readonly accepted: number;
  readonly shares: Partial<Record<Outcome, number>>;
}

const USUAL = { delivered: 0.9, pending: 0.05, droppedDeviceInactive: 0.02 };

/** Random counts, with the same seed each time. `undefined` is a day without messages. */
function countsOf(days: number, dayOf: (day: number) => Day | undefined, seed = 1): DailyCounts {
  const chance = new Chance(seed);
  const rows = Array.from({ length: days }, (_, day) => ({ day, ...dayOf(day) })).flatMap(
    ({ day, accepted = 0, shares = {} }) => {
      let [left, rest] = [accepted, 1];
      const counts = OUTCOMES.map((outcome) => {
        const share = shares[outcome] ?? 0;
        const count = chance.binomial(left, rest > 0 ? Math.min(1, share / rest) : 0);
        left -= count;
        rest -= share;
        return count;
      });
      return accepted > 0 ? [{ day, accepted, counts }] : [];
    },
  );
  return {
    days: Int32Array.from(rows, ({ day }) => FIRST_DAY + day),
    accepted: Float64Array.from(rows, ({ accepted }) => accepted),
    outcomes: OUTCOMES.map((_, index) => Float64Array.from(rows, ({ counts }) => counts[index] ?? 0)),
  };
}

/** Usual days, with different shares on some. */
const usualBut =
  (isOther: (day: number) => boolean, shares: Day["shares"], accepted = 1000) =>
  (day: number): Day => ({ accepted, shares: isOther(day) ? shares : USUAL });

const usual = (accepted: number) => usualBut(() => false, {}, accepted);
const between = (first: number, last: number) => (day: number) => day >= first && day <= last;

function incidentsOf(labels: Record<string, DailyCounts>, lastDay?: number): Incident[] {
  const app = sumOf(Object.values(labels));
  const last = lastDay === undefined ? (app.days.at(-1) ?? 0) : FIRST_DAY + lastDay;
  const finder = detectIncidents(app, new Map(Object.entries(labels)), last);
  for (;;) {
    const { done, value } = finder.next();
    if (done) return value;
  }
}

/** Label or `app`, outcome, first and last day. */
function textsOf(incidents: readonly Incident[]): string[] {
  return incidents.map(({ label = "app", outcome, startDay, endDay }) => {
    const end = endDay === undefined ? "" : endDay - FIRST_DAY;
    return `${label} ${outcome} ${startDay - FIRST_DAY}-${end}`;
  });
}

/** Two more labels, with usual shares. */
const others = (days: number) => ({
  chat: countsOf(days, usual(3000), 2),
  news: countsOf(days, usual(500), 3),
});

describe("detectIncidents", () => {
  test.each<[string, (day: number) => boolean, string[]]>([
    ["a lasting fall", (day) => day >= 60, ["promo delivered 60-"]],
    ["a fall with an end", between(50, 56), ["promo delivered 50-56"]],
    ["one bad day", between(50, 50), ["promo delivered 50-50"]],
    [
      "two falls",
      (day) => between(40, 43)(day) || between(60, 66)(day),
      ["promo delivered 60-66", "promo delivered 40-43"],
    ],
    ["a fall on the last day", (day) => day === 79, ["promo delivered 79-"]],
    ["a bad day among the first ones", between(6, 6), ["promo delivered 6-6"]],
    ["a fall that begins among the first days", (day) => day >= 10, ["promo delivered 10-65"]],
    ["nothing", () => false, []],
  ])("reports %s as one incident", (_, isBad, expected) => {
    const promo = countsOf(80, usualBut(isBad, { ...USUAL, delivered: 0.36 }));
    expect(textsOf(incidentsOf({ promo, ...others(80) }))).toEqual(expected);
  });

  it("returns the usual and observed shares, and the excess messages", () => {
    const promo = countsOf(
      80,
      usualBut((day) => day >= 60, { ...USUAL, delivered: 0.36 }),
    );
    const [incident] = incidentsOf({ promo, ...others(80) });
    expect(incident?.usualPercent).toBeCloseTo(90, -0.3);
    expect(incident?.observedPercent).toBeCloseTo(36, -0.3);
    expect(incident?.usualLowPercent).toBeGreaterThan(86);
    expect(incident?.usualLowPercent).toBeLessThan(incident?.usualPercent ?? 0);
    expect(incident?.usualHighPercent).toBeLessThan(94);
    expect(incident?.usualHighPercent).toBeGreaterThan(incident?.usualPercent ?? 100);
    expect(Math.abs((incident?.excessMessageCount ?? 0) - 20 * 540)).toBeLessThan(400);
    expect(Number.isInteger(incident?.excessMessageCount)).toBe(true);
    expect(incident?.confidence).toBeGreaterThan(0.999);
    expect(incident?.confidence).toBeLessThanOrEqual(1);
  });

  it("accepts a deviation as usual after eight weeks, and then reports changes from this new level", () => {
    const shares = (day: number) => (day < 40 ? 0.9 : day < 130 ? 0.6 : 0.3);
    const promo = countsOf(140, (day) => ({ accepted: 1000, shares: { delivered: shares(day) } }));
    const incidents = incidentsOf({ promo, ...others(140) });
    expect(textsOf(incidents)).toEqual(["promo delivered 130-", "promo delivered 40-95"]);
    expect(incidents[0]?.usualPercent).toBeCloseTo(60, -0.3);
  });

  it("reports no improvement, and accepts it as usual after two weeks", () => {
    const shares = (day: number) => (day < 40 ? 0.7 : day < 70 ? 0.9 : 0.7);
    const promo = countsOf(80, (day) => ({ accepted: 1000, shares: { delivered: shares(day) } }));
    expect(textsOf(incidentsOf({ promo, ...others(80) }))).toEqual(["promo delivered 70-"]);
  });

  it("ignores an improvement of a few days", () => {
    const promo = countsOf(80, usualBut(between(50, 55), { delivered: 0.99 }));
    expect(incidentsOf({ promo, ...others(80) })).toEqual([]);
  });

  test.each<[string, (day: number) => Day | undefined]>([
    ["small volumes", usual(30)],
    ["a weekly rhythm of the volume", (day) => ({ accepted: day % 7 > 4 ? 100 : 2000, shares: USUAL })],
    [
      "a weekly rhythm of the share",
      (day) => ({ accepted: 2000, shares: { delivered: day % 7 > 4 ? 0.8 : 0.9 } }),
    ],
    [
      "missing days",
      (day) => (day % 5 === 3 || (day > 40 && day < 46) ? undefined : { accepted: 1000, shares: USUAL }),
    ],
    ["days with few messages", (day) => ({ accepted: day % 9 === 4 ? 2 : 1000, shares: USUAL })],
    ["slow change", (day) => ({ accepted: 1000, shares: { delivered: 0.9 - 0.001 * day } })],
    ["growth", (day) => ({ accepted: 50 * 1.06 ** day, shares: USUAL })],
    [
      "tiny changes of huge volumes",
      (day) => ({ accepted: 1e7, shares: { delivered: day >= 60 ? 0.88 : 0.9 } }),
    ],
    [
      "fewer than two weeks",
      (day) => (day < 67 ? undefined : { accepted: 1000, shares: { delivered: day < 75 ? 0.9 : 0 } }),
    ],
  ])("raises almost no false alarm for %s", (_, dayOf) => {
    const seeds = [1, 2, 3, 4, 5, 6, 7, 8];
    const incidents = seeds.flatMap((seed) =>
      incidentsOf({ promo: countsOf(80, dayOf, seed), ...others(80) }),
    );
    // Chance may cause false alarms on fewer than one in a thousand days of a label. These are over four thousand days.
    expect(textsOf(incidents).slice(1)).toEqual([]);
  });

  it("detects a fall of ten points in 200 daily messages on its second day", () => {
    const promo = countsOf(
      62,
      usualBut((day) => day >= 60, { ...USUAL, delivered: 0.8 }, 200),
    );
    expect(textsOf(incidentsOf({ promo, ...others(62) }))).toEqual(["promo delivered 60-"]);
  });

  test.each<[string, Day["shares"], string[]]>([
    [
      "delivered, if other outcomes replace it",
      { delivered: 0.6, droppedDeviceInactive: 0.32, pending: 0.05 },
      ["promo delivered 60-"],
    ],
    [
      "delivered, if a rare outcome shows the change first",
      { ...USUAL, delivered: 0.86, droppedAppForceStopped: 0.04 },
      ["promo delivered 60-"],
    ],
    [
      "the outcome itself, if deliveries do not change",
      { delivered: 0.9, pending: 0, droppedTtlExpired: 0.05 },
      ["promo droppedTtlExpired 60-"],
    ],
  ])("names %s", (_, shares, expected) => {
    const promo = countsOf(
      80,
      usualBut((day) => day >= 60, shares, 5000),
    );
    expect(textsOf(incidentsOf({ promo, ...others(80) }))).toEqual(expected);
  });

  describe("of several labels", () => {
    const fallOf = (part: number, seed: number, accepted = 1000) =>
      countsOf(
        80,
        usualBut((day) => day >= 60, { delivered: 0.9 * part }, accepted),
        seed,
      );

    it("reports a shift of all labels for the app", () => {
      const labels = {
        "": fallOf(0.5, 1),
        a: fallOf(0.5, 2),
        b: fallOf(0.5, 3, 4000),
        c: fallOf(0.5, 4, 100),
      };
      expect(textsOf(incidentsOf(labels))).toEqual(["app delivered 60-"]);
    });

    it("reports a shift of one label for the label, even if it has most messages", () => {
      const labels = { big: fallOf(0.5, 1, 20_000), ...others(80) };
      expect(textsOf(incidentsOf(labels))).toEqual(["big delivered 60-"]);
    });

    it("reports a fall of an app with one label for the app", () => {
      expect(textsOf(incidentsOf({ "": fallOf(0.5, 1) }))).toEqual(["app delivered 60-"]);
    });

    it("also reports a label's shift beyond the other labels", () => {
      const labels = { a: fallOf(0.8, 1), b: fallOf(0.8, 2), c: fallOf(0.8, 3), d: fallOf(0, 4) };
      expect(textsOf(incidentsOf(labels))).toEqual(["app delivered 60-", "d delivered 60-"]);
    });

    it("detects a fall that is visible only in all labels together", () => {
      const labels = Object.fromEntries(
        Array.from({ length: 40 }, (_, index) => [`label-${index}`, fallOf(0.85, index, 10)]),
      );
      expect(textsOf(incidentsOf(labels))).toEqual(["app delivered 60-"]);
    });

    it("detects a fall of messages if each message has a new label", () => {
      const app = fallOf(0.5, 1);
      const finder = detectIncidents(app, new Map(), FIRST_DAY + 79);
      expect(
        textsOf([...Array(1000).keys()].map(() => finder.next()).find(({ done }) => done)?.value ?? []),
      ).toEqual(["app delivered 60-"]);
    });

    it("reports no incident after a change of the label mix", () => {
      const bad = { delivered: 0.5 };
      const labels = {
        good: countsOf(80, (day) => ({ accepted: day < 60 ? 9000 : 1000, shares: USUAL }), 1),
        bad: countsOf(80, (day) => ({ accepted: day < 60 ? 1000 : 9000, shares: bad }), 2),
      };
      expect(incidentsOf(labels)).toEqual([]);
    });

    it("sorts incidents by newest start, then the app before its labels in byte order", () => {
      const at = (first: number, seed: number) =>
        countsOf(
          80,
          usualBut((day) => day >= first, { delivered: 0.2 }, 1000),
          seed,
        );
      const labels = {
        "\u{1f4f1}": at(60, 1),
        "\uffee": at(60, 2),
        z: at(65, 3),
        a: at(50, 4),
        ...others(80),
        "": countsOf(80, usual(9000), 9),
      };
      expect(textsOf(incidentsOf(labels)).map((text) => text.split(" ")[0])).toEqual([
        "z",
        "\uffee",
        "\u{1f4f1}",
        "a",
      ]);
    });
  });

  it("ends an incident after more than two weeks without messages of its label", () => {
    const dayOf = usualBut((day) => day >= 60, { delivered: 0.2 });
    const promo = countsOf(64, dayOf);
    expect(textsOf(incidentsOf({ promo, ...others(78) }, 77))).toEqual(["promo delivered 60-"]);
    expect(textsOf(incidentsOf({ promo, ...others(79) }, 78))).toEqual(["promo delivered 60-63"]);
  });

  it("returns the same earlier incidents when more days follow", () => {
    const labels = {
      promo: countsOf(
        90,
        usualBut((day) => day >= 60, { delivered: 0.6 }, 200),
      ),
      ...others(90),
    };
    const until =
      (days: number) =>
      (counts: DailyCounts): DailyCounts => ({
        days: counts.days.subarray(0, days),
        accepted: counts.accepted.subarray(0, days),
        outcomes: counts.outcomes.map((column) => column.subarray(0, days)),
      });
    for (const days of [62, 65, 72, 90]) {
      const known = Object.fromEntries(
        Object.entries(labels).map(([label, counts]) => [label, until(days)(counts)]),
      );
      expect(textsOf(incidentsOf(known))).toEqual(["promo delivered 60-"]);
    }
  });

  it("pauses often, and returns nothing for empty counts", () => {
    const empty = countsOf(0, () => undefined);
    expect(detectIncidents(empty, new Map(), FIRST_DAY).next()).toEqual({ done: true, value: [] });
    const labels = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`label-${index}`, countsOf(100, usual(100), index)]),
    );
    const pauses = [
      ...detectIncidents(sumOf(Object.values(labels)), new Map(Object.entries(labels)), FIRST_DAY + 99),
    ];
    expect(pauses.length).toBeGreaterThan((50 * 100) / 300);
  });
});
