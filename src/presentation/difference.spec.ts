import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { differenceOf, type Sample } from "./difference.js";

const days = (count: number, of: number, length = 28): Sample[] =>
  Array.from({ length }, () => ({ count, of, isUsual: true }));
/** Days with alternating shares. */
const uneven = (low: number, high: number, of: number, length = 28): Sample[] =>
  Array.from({ length }, (_, day) => ({ count: day % 2 === 0 ? low : high, of, isUsual: true }));

describe("a difference between two shares", () => {
  it.each<[what: string, left: Sample[], right: Sample[], beyond: boolean | undefined]>([
    ["of equal sides", days(90, 100), days(90, 100), false],
    ["of ten points in thousands of messages", days(90, 100), days(80, 100), true],
    ["of ten points in few messages", days(9, 10, 5), days(8, 10, 5), false],
    ["of 3 of 5 and 5 of 5 messages on five days", days(3, 5, 5), days(5, 5, 5), false],
    ["of a tenth of a point in millions", days(90_000, 100_000), days(89_900, 100_000), true],
    ["that days of one side exceed", uneven(70_000, 95_000, 100_000), days(84_000, 100_000), false],
    ["larger than days differ", uneven(90_000, 94_000, 100_000), days(60_000, 100_000), true],
    ["of nothing", days(0, 100), days(0, 100), false],
    ["of all and nothing", days(0, 100), days(100, 100), true],
    ["of too few days", days(0, 100, 4), days(100, 100, 28), undefined],
    ["of a side without messages", days(0, 0), days(100, 100), undefined],
  ])("%s has the right significance (case %#)", (_what, left, right, beyond) => {
    expect(differenceOf(left, right).isBeyondChance).toBe(beyond);
    expect(differenceOf(right, left).isBeyondChance).toBe(beyond);
  });

  it("is not hidden by the incident that causes it", () => {
    const before = uneven(840, 860, 1_000);
    const fallen = days(500, 1_000, 4).map((day) => ({ ...day, isUsual: false }));
    const after = [...uneven(840, 860, 1_000, 24), ...fallen];
    const unmarked = after.map((day) => ({ ...day, isUsual: true }));
    expect(differenceOf(before, after).isBeyondChance).toBe(true);
    expect(differenceOf(before, unmarked).isBeyondChance).toBe(false);
    // A side without usual days varies like the other one.
    expect(differenceOf(before, after.slice(-5)).isBeyondChance).toBe(true);
  });

  it("has a 99.7 % confidence interval", () => {
    const { interval } = differenceOf(days(50, 100, 1_001), days(60, 100, 1_001));
    // Three standard errors for two shares of 100,100 messages.
    const error = 100 * Math.sqrt((0.25 + 0.24) / 100_100);
    expect(interval?.low).toBeCloseTo(10 - 3 * error, 1);
    expect(interval?.high).toBeCloseTo(10 + 3 * error, 1);
  });

  it("is rarely significant if the true difference is 0, even with overdispersed days", () => {
    // Each side is a list of days with varying shares around the same mean.
    const side = fc.array(fc.record({ u: fc.noBias(fc.double({ min: 0, max: 1, noNaN: true })) }), {
      minLength: 14,
      maxLength: 14,
    });
    const histories = fc.sample(fc.tuple(side, side), { numRuns: 2_000, seed: 7 });
    const samplesOf = (of: readonly { u: number }[]): Sample[] =>
      of.map(({ u }) => ({ count: Math.round(1_000 * (0.85 + 0.1 * u)), of: 1_000, isUsual: true }));
    const wrong = histories.filter(
      ([left, right]) => differenceOf(samplesOf(left), samplesOf(right)).isBeyondChance,
    );
    expect(wrong.length / histories.length).toBeLessThan(0.01);
  });
});
