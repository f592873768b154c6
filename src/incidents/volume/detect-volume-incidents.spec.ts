import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { Chance } from "../../../bench/incidents/chance.js";
import type { DailyCounts } from "../detection/daily-counts.js";
import { detectVolumeIncidents, type VolumeDays } from "./detect-volume-incidents.js";
import type { VolumeIncident } from "./volume-incident.js";

const FIRST_DAY = 20_000;
const isWeekend = (day: number): boolean => (FIRST_DAY + day) % 7 > 4;

/** Numbers of messages around a mean for each day, with the same seed each time. */
function counts(days: number, meanOf: (day: number) => number, seed = 1): DailyCounts {
  const chance = new Chance(seed);
  const rows = Array.from({ length: days }, (_, day) => ({
    day: FIRST_DAY + day,
    accepted: Math.round(meanOf(day) * Math.exp(0.1 * chance.normal())),
  })).filter(({ accepted }) => accepted > 0);
  return {
    days: Int32Array.from(rows, ({ day }) => day),
    accepted: Float64Array.from(rows, ({ accepted }) => accepted),
    outcomes: [],
  };
}

function sumOf(labels: readonly DailyCounts[]): DailyCounts {
  const sums = new Map<number, number>();
  for (const { days, accepted } of labels) {
    for (const [row, day] of days.entries()) sums.set(day, (sums.get(day) ?? 0) + (accepted[row] ?? 0));
  }
  const rows = [...sums].sort(([a], [b]) => a - b);
  return {
    days: Int32Array.from(rows, ([day]) => day),
    accepted: Float64Array.from(rows, ([, accepted]) => accepted),
    outcomes: [],
  };
}

function detect(
  labels: Record<string, DailyCounts>,
  lastDay: number,
  of: Partial<VolumeDays> = {},
): VolumeIncident[] {
  const days = { lastDay: FIRST_DAY + lastDay, lacksEntries: false, isEmpty: () => false, ...of };
  const finder = detectVolumeIncidents(sumOf(Object.values(labels)), new Map(Object.entries(labels)), days);
  for (;;) {
    const { done, value } = finder.next();
    if (done) return value;
  }
}

/** Label or `app`, kind, first and last day. */
const textsOf = (incidents: readonly VolumeIncident[]): string[] =>
  incidents.map(({ label = "app", kind, startDay, endDay }) => {
    const end = endDay === undefined ? "" : endDay - FIRST_DAY;
    return `${label} ${kind} ${startDay - FIRST_DAY}-${end}`;
  });

/** Incidents when an app has a single label. */
const ofApp = (days: number, meanOf: (day: number) => number, lastDay = days - 1): string[] =>
  textsOf(detect({ promo: counts(days, meanOf) }, lastDay));

describe("detectVolumeIncidents", () => {
  test.each<[string, (day: number) => number, string[]]>([
    ["nothing for steady messages", () => 200, []],
    ["a silence that lasts", (day) => (day < 60 ? 200 : 0), ["app silence 60-"]],
    ["a silence on the last day", (day) => (day < 79 ? 200 : 0), ["app silence 79-"]],
    ["a silence with an end", (day) => (day < 50 || day > 58 ? 200 : 0), ["app silence 50-58"]],
    ["almost no messages as a silence", (day) => (day < 60 ? 1_000 : 8), ["app silence 60-"]],
    ["a sharp fall", (day) => (day < 60 ? 1_000 : 300), ["app fall 60-"]],
    ["a fall with an end", (day) => (day < 50 || day > 56 ? 1_000 : 300), ["app fall 50-56"]],
    ["a sharp rise", (day) => (day < 60 ? 1_000 : 4_000), ["app rise 60-"]],
    ["a rise with an end", (day) => (day < 50 || day > 56 ? 1_000 : 4_000), ["app rise 50-56"]],
    ["no campaign of three days", (day) => (day >= 50 && day <= 52 ? 4_000 : 1_000), []],
    ["no small change", (day) => (day < 60 ? 1_000 : 750), []],
    ["nothing for few messages", (day) => (day < 60 ? 8 : 0), []],
    ["nothing before two weeks", (day) => (day < 12 ? 200 : 0), []],
    ["no weekends of a sender on weekdays", (day) => (isWeekend(day) ? 0 : 200), []],
    ["no weekdays of a sender on weekends", (day) => (isWeekend(day) ? 2_000 : 0), []],
    ["no usual pauses of irregular campaigns", (day) => (day % 5 < 2 || day % 11 === 3 ? 3_000 : 0), []],
    ["no slow growth", (day) => 200 * 1.02 ** day, []],
    ["no slow decline", (day) => 2_000 * 0.98 ** day, []],
  ])("reports %s", (_, meanOf, expected) => {
    expect(ofApp(80, meanOf)).toEqual(expected);
  });

  it("skips days on which a silent sender never sends", () => {
    const meanOf = (day: number) => (isWeekend(day) || day >= 56 ? 0 : 500);
    const first = [56, 57, 58].find((day) => !isWeekend(day));
    expect(ofApp(56, meanOf, 69)).toEqual([`app silence ${first}-`]);
    const last = 55 - [0, 1, 2].findIndex((back) => !isWeekend(55 - back));
    expect(ofApp(56, meanOf, last)).toEqual([]);
  });

  it("ends a silence after eight weeks, and begins a new history when messages return", () => {
    const stopped = (day: number) => (day < 40 ? 200 : 0);
    expect(ofApp(200, stopped, 95)).toEqual(["app silence 40-"]);
    expect(ofApp(200, stopped, 96)).toEqual(["app silence 40-95"]);
    expect(ofApp(200, (day) => (day < 40 || day >= 150 ? 200 : 0))).toEqual(["app silence 40-95"]);
    expect(ofApp(200, (day) => (day < 40 || (day >= 120 && day < 180) ? 200 : 0), 190)).toEqual([
      "app silence 180-",
      "app silence 40-95",
    ]);
  });

  it("accepts a fall as usual after eight weeks", () => {
    expect(ofApp(160, (day) => (day < 40 ? 1_000 : day < 150 ? 300 : 0))).toEqual([
      "app silence 150-",
      "app fall 40-95",
    ]);
  });

  it("returns usual and observed numbers of messages", () => {
    const [silence] = detect({ promo: counts(80, (day) => (day < 70 ? 200 : 0)) }, 79);
    expect(silence).toMatchObject({ label: undefined, outcome: "fewerAccepted", observedMessageCount: 0 });
    expect(silence?.usualMessageCount).toBeGreaterThan(1_850);
    expect(silence?.usualMessageCount).toBeLessThan(2_150);
    expect(silence?.usualLowMessageCount).toBeLessThan(silence?.usualMessageCount ?? 0);
    expect(silence?.usualHighMessageCount).toBeGreaterThan(silence?.usualMessageCount ?? 0);
    expect(silence?.excessMessageCount).toBe(silence?.usualMessageCount);
    expect(silence?.confidence).toBeGreaterThan(0.95);
    expect(silence?.confidence).toBeLessThanOrEqual(1);
  });

  it("reports a change of a single label as an incident of the label", () => {
    const labels = {
      chat: counts(80, () => 600, 2),
      news: counts(80, () => 300, 3),
      promo: counts(80, (day) => (day < 60 ? 1_000 : 0), 4),
    };
    expect(textsOf(detect(labels, 79))).toEqual(["promo silence 60-"]);
  });

  it("reports a change of most labels once, as an incident of the app", () => {
    const stopped = (mean: number) => (day: number) => (day < 60 || day > 65 ? mean : 0);
    const labels = {
      chat: counts(80, stopped(600), 2),
      news: counts(80, stopped(300), 3),
      promo: counts(80, stopped(1_000), 4),
    };
    expect(textsOf(detect(labels, 79))).toEqual(["app silence 60-65"]);
  });

  it("does not report a campaign's label that ends", () => {
    const labels = {
      chat: counts(80, () => 2_000, 2),
      sale: counts(80, (day) => (day >= 40 && day < 61 ? 400 : 0), 3),
    };
    expect(detect(labels, 79)).toEqual([]);
  });

  it("evaluates no day after the last one", () => {
    const promo = counts(80, (day) => (day < 60 ? 200 : 0));
    expect(detect({ promo }, 59)).toEqual([]);
    expect(textsOf(detect({ promo }, 60))).toEqual(["app silence 60-"]);
  });

  it("finds no incident without entries, such as after a deletion", () => {
    expect(detect({}, 79)).toEqual([]);
  });

  it("marks a silence of the whole project", () => {
    const promo = counts(80, (day) => (day === 50 || day >= 70 ? 0 : 200));
    const isEmpty = (day: number): boolean => day - FIRST_DAY >= 70;
    const found = detect({ promo }, 79, { isEmpty });
    expect(textsOf(found)).toEqual(["app silence 70-", "app silence 50-50"]);
    expect(found.map(({ isOfProject }) => isOfProject)).toEqual([true, false]);
  });

  it("evaluates only labels of a mirror, on days with entries", () => {
    const promo = counts(80, (day) => (day < 60 ? 1_000 : day % 3 === 0 ? 0 : 250));
    expect(textsOf(detect({ promo, chat: counts(80, () => 3_000, 2) }, 79, { lacksEntries: true }))).toEqual([
      "promo fall 61-",
    ]);
  });
});

interface Traffic {
  readonly seed: number;
  /** First day of the change. */
  readonly from: number;
  /** Share of the messages that are sent from then on. */
  readonly factor: number;
  /** Factor of each weekday. */
  readonly rhythm: readonly number[];
}

const traffic: fc.Arbitrary<Traffic> = fc.record({
  seed: fc.integer({ min: 1, max: 1_000 }),
  from: fc.integer({ min: 35, max: 70 }),
  factor: fc.constantFrom(0, 0.02, 0.3, 1, 3),
  rhythm: fc.array(fc.double({ min: 0.5, max: 1.5, noNaN: true }), { minLength: 7, maxLength: 7 }),
});

const labelsOf = ({ seed, from, factor, rhythm }: Traffic): Record<string, DailyCounts> => {
  const meanOf = (mean: number, isChanged: boolean) => (day: number) =>
    mean * (rhythm[day % 7] ?? 1) * (isChanged && day >= from ? factor : 1);
  return {
    chat: counts(80, meanOf(3_000, false), seed),
    news: counts(80, meanOf(2_000, seed % 2 === 0), seed + 1),
    promo: counts(80, meanOf(4_000, true), seed + 2),
  };
};

describe("the volume rule", () => {
  it("does not depend on the order of labels", () => {
    fc.assert(
      fc.property(traffic, (of) => {
        const labels = labelsOf(of);
        const reversed = Object.fromEntries(Object.entries(labels).reverse());
        expect(detect(reversed, 79)).toEqual(detect(labels, 79));
      }),
      { numRuns: 30 },
    );
  });

  it("does not depend on the unit of large numbers", () => {
    fc.assert(
      fc.property(traffic, fc.constantFrom(50, 1_000), (of, unit) => {
        const labels = Object.entries(labelsOf(of)).map(([label, { days, accepted, outcomes }]) => {
          const large = (scale: number) => ({
            days,
            accepted: accepted.map((count) => count * 1_000 * scale),
            outcomes,
          });
          return [label, large(1), large(unit)] as const;
        });
        const once = Object.fromEntries(labels.map(([label, counts]) => [label, counts]));
        const more = Object.fromEntries(labels.map(([label, , counts]) => [label, counts]));
        expect(textsOf(detect(more, 79))).toEqual(textsOf(detect(once, 79)));
      }),
      { numRuns: 30 },
    );
  });

  it("does not depend on the date", () => {
    fc.assert(
      fc.property(traffic, fc.integer({ min: -3_000, max: 3_000 }), (of, shift) => {
        const labels = labelsOf(of);
        const later = Object.fromEntries(
          Object.entries(labels).map(([label, { days, ...rest }]) => [
            label,
            { ...rest, days: days.map((day) => day + shift) },
          ]),
        );
        const moved = detect(later, 79 + shift).map(({ startDay, endDay, ...incident }) => ({
          ...incident,
          startDay: startDay - shift,
          ...(endDay !== undefined && { endDay: endDay - shift }),
        }));
        expect(moved).toEqual(detect(labels, 79));
      }),
      { numRuns: 30 },
    );
  });
});
