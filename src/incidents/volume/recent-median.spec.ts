import fc from "fast-check";
import { expect, test } from "vitest";
import { RecentMedian } from "./recent-median.js";

test("RecentMedian returns the lower median of the last numbers", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1 }),
      fc.integer({ min: 1, max: 8 }),
      (values, most) => {
        const median = new RecentMedian(most);
        for (const value of values) median.push(value);
        const last = values.slice(-most).sort((a, b) => a - b);
        expect(median.count).toBe(last.length);
        expect(median.value).toBe(last[(last.length - 1) >> 1]);
      },
    ),
  );
});
