import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FEW, wilsonInterval } from "./counts.js";

describe("wilsonInterval", () => {
  // Values from the published formula.
  it.each([
    [3, 5, 23.1, 88.2],
    [0, 5, 0, 43.4],
    [5, 5, 56.6, 100],
    [81, 263, 25.5, 36.6],
    [50, 100, 40.4, 59.6],
  ])("for %d of %d messages is %d to %d percent", (count, of, low, high) => {
    const interval = wilsonInterval(count, of);
    expect(interval.low).toBeCloseTo(low, 1);
    expect(interval.high).toBeCloseTo(high, 1);
  });

  it("contains the share, and is narrower with more messages", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (of, p) => {
          const count = Math.round(of * p);
          const { low, high } = wilsonInterval(count, of);
          const more = wilsonInterval(10 * count, 10 * of);
          const share = (100 * count) / of;
          expect(low).toBeLessThanOrEqual(share + 1e-9);
          expect(high).toBeGreaterThanOrEqual(share - 1e-9);
          expect(more.high - more.low).toBeLessThan(high - low);
        },
      ),
    );
  });

  it("for a share of 50 % is about ±10 points at the limit for few messages", () => {
    const { low, high } = wilsonInterval(FEW / 2, FEW);
    expect((high - low) / 2).toBeCloseTo(9.6, 1);
  });

  it("is 0 to 100 percent without messages", () => {
    expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 100 });
  });
});
