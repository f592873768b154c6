import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dayOfCivil } from "#src/model/day.js";
import { daysIn } from "../days/day-range.js";
import { providerTitle, sumOfOutcomes, type TokenCount, tokenCountOf, tokenDaysOf } from "./token-counts.js";

const DAY = dayOfCivil(2026, 3, 1);

const COUNT: fc.Arbitrary<TokenCount> = fc.record({
  day: fc.integer({ min: DAY, max: DAY + 9 }),
  provider: fc.constantFrom("app_attest", "debug"),
  issued: fc.nat(1_000),
  rejected: fc.nat(1_000),
  reused: fc.nat(1_000),
});

describe("token counts", () => {
  it("are read from JSON, which omits zeros", () => {
    const date = { year: 2026, month: 3, day: 1 };
    const count = tokenCountOf({ date, provider: "debug", issuedCount: "9007199254740991" });
    const zeros = { rejected: 0, reused: 0 };
    expect(count).toEqual({ day: DAY, provider: "debug", issued: Number.MAX_SAFE_INTEGER, ...zeros });
  });

  it("have a row for each day of a range, and add up to the sum of these days", () => {
    fc.assert(
      fc.property(fc.array(COUNT), fc.nat(9), fc.nat(9), (counts, a, b) => {
        const range = { first: DAY + Math.min(a, b), last: DAY + Math.max(a, b) };
        const rows = tokenDaysOf(counts, range);
        expect(rows.map(({ day }) => day)).toEqual(
          Array.from({ length: daysIn(range) }, (_, index) => range.first + index),
        );
        const inRange = counts.filter(({ day }) => day >= range.first && day <= range.last);
        expect(sumOfOutcomes(rows.map((row) => row.counts))).toEqual(sumOfOutcomes(inRange));
      }),
    );
  });

  it("show the names of unknown providers as they are", () => {
    expect(["app_attest", "future"].map(providerTitle)).toEqual(["App Attest", "future"]);
  });
});
