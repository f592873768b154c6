import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChartDay } from "./chart-day.js";
import { RULE, standoutsOf } from "./standout.js";

const row = (day: number, delivered: number, accepted = 1_000): ChartDay => ({
  day,
  counts: { countMessagesAccepted: accepted, delivered },
});

/** Rows for days 0, 1, … with the given numbers of 1,000 messages delivered. */
const rowsOf = (...delivered: number[]): ChartDay[] => delivered.map((count, day) => row(day, count));

const EVER = { first: -10_000, last: 10_000 };
const STEADY = Array.from({ length: 14 }, () => 900);

const standingOut = (rows: readonly ChartDay[], range = EVER): number[] =>
  standoutsOf(rows, range).map(({ day }) => day);

describe("standoutsOf", () => {
  it.each<[title: string, rows: ChartDay[], days: number[]]>([
    ["picks a day more than five points below steady days", rowsOf(...STEADY, 849), [14]],
    ["ignores a day five points below", rowsOf(...STEADY, 850), []],
    ["ignores a day with a higher share", rowsOf(...STEADY, 1_000), []],
    ["ignores a day with six days before it", rowsOf(...STEADY.slice(0, 6), 100), []],
    ["picks a day with seven days before it", rowsOf(...STEADY.slice(0, 7), 100), [7]],
    ["ignores a day with 49 messages", [...rowsOf(...STEADY), row(14, 0, 49)], []],
    ["picks a day with 50 messages", [...rowsOf(...STEADY), row(14, 0, 50)], [14]],
    // Shares of 89 and 91 %: median 90, median absolute deviation 1, and the limit of 5 points decides.
    ["picks a day among days that vary a little", rowsOf(...alternating(890, 910), 848), [14]],
    // Shares of 80 and 100 %: the deviation is 10 points, which makes 44.478 points below 90 % usual.
    ["ignores a day within three deviations", rowsOf(...alternating(800, 1_000), 456), []],
    ["picks a day beyond three deviations", rowsOf(...alternating(800, 1_000), 455), [14]],
    ["picks each day of a short outage", rowsOf(...STEADY, 500, 510, 900), [15, 14]],
    [
      "stops once a low share has become usual",
      rowsOf(...STEADY, ...Array(14).fill(500), 500),
      [20, 19, 18, 17, 16, 15, 14],
    ],
  ])("%s", (_title, rows, days) => {
    expect(standingOut(rows)).toEqual(days);
  });

  it("ignores a day if fewer than seven days before it have enough messages", () => {
    const quiet = Array.from({ length: 7 }, (_, day) => row(day, 0, 49));
    const loud = Array.from({ length: 6 }, (_, index) => row(7 + index, 900));
    expect(standingOut([...quiet, ...loud, row(13, 100)])).toEqual([]);
  });

  it("compares only with days of the four weeks before", () => {
    const before = Array.from({ length: 7 }, (_, index) => row(index, 900));
    expect(standingOut([...before, row(28, 100)])).toEqual([28]);
    expect(standingOut([...before, row(29, 100)])).toEqual([]);
  });

  it("picks only days of the range, and compares them with days before it", () => {
    const rows = rowsOf(...STEADY, 100, 900, 100);
    expect(standingOut(rows, { first: 15, last: 20 })).toEqual([16]);
  });

  it("returns the usual and the expected share", () => {
    expect(standoutsOf(rowsOf(...STEADY, 800), EVER)).toEqual([
      { day: 14, share: 80, usual: 90, expected: 85, basis: 14 },
    ]);
  });
});

const anyRows = fc
  .uniqueArray(
    fc.record({
      day: fc.integer({ min: 0, max: 60 }),
      accepted: fc.nat(200),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    { selector: ({ day }) => day, maxLength: 60 },
  )
  .map((days) => days.map(({ day, accepted, part }) => row(day, Math.round(accepted * part), accepted)));

describe("standoutsOf, for any days,", () => {
  it("picks days of the range with enough messages and a share below the expected one", () => {
    fc.assert(
      fc.property(anyRows, fc.nat(60), fc.nat(60), (rows, first, length) => {
        const range = { first, last: first + length };
        for (const { day, share, usual, expected, basis } of standoutsOf(rows, range)) {
          expect(day).toBeGreaterThanOrEqual(range.first);
          expect(day).toBeLessThanOrEqual(range.last);
          const counts = rows.find((candidate) => candidate.day === day)?.counts;
          expect(counts?.countMessagesAccepted).toBeGreaterThanOrEqual(RULE.minAccepted);
          expect(share).toBeLessThan(expected);
          expect(usual - expected).toBeGreaterThanOrEqual(RULE.minDrop - 1e-9);
          expect(basis).toBeGreaterThanOrEqual(RULE.minBasis);
          expect(basis).toBeLessThanOrEqual(RULE.maxBasis);
        }
      }),
    );
  });

  it("ignores the order of rows, later days, and days with few messages", () => {
    fc.assert(
      fc.property(anyRows, fc.nat(60), (rows, last) => {
        const expected = standoutsOf(rows, { first: 0, last });
        const known = rows.filter(
          ({ day, counts }) => day <= last && (counts.countMessagesAccepted ?? 0) >= RULE.minAccepted,
        );
        expect(standoutsOf(known.reverse(), { first: 0, last })).toEqual(expected);
      }),
    );
  });

  it("picks no day if all have the same share", () => {
    fc.assert(
      fc.property(
        fc.nat(100),
        fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 40 }),
        (percent, hundreds) => {
          const rows = hundreds.map((count, day) => row(day, count * percent, count * 100));
          expect(standingOut(rows)).toEqual([]);
        },
      ),
    );
  });

  it("keeps picking a day whose share falls further", () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        for (const { day } of standoutsOf(rows, EVER)) {
          const worse = rows.map((each) =>
            each.day === day ? row(day, 0, each.counts.countMessagesAccepted) : each,
          );
          expect(standingOut(worse)).toContain(day);
        }
      }),
    );
  });
});

function alternating(a: number, b: number): number[] {
  return Array.from({ length: 14 }, (_, index) => (index % 2 === 0 ? a : b));
}
