import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FEW, wilsonInterval } from "./counts.js";

describe("wilsonInterval", () => {
  // Values of the published formula; 3 of 5 is the example of the issue.
  it.each([
    [3, 5, 23.1, 88.2],
    [0, 5, 0, 43.4],
    [5, 5, 56.6, 100],
    [81, 263, 25.5, 36.6],
    [50, 100, 40.4, 59.6],
  ])("of %d of %d messages is from %d to %d percent", (count, of, low, high) => {
    const interval = wilsonInterval(count, of);
    expect(interval.low).toBeCloseTo(low, 1);
    expect(interval.high).toBeCloseTo(high, 1);
  });

  it("contains the share, and shrinks with the number of messages", () => {
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

  it("of a half is about ten points to each side at the number that counts as few", () => {
    const { low, high } = wilsonInterval(FEW / 2, FEW);
    expect((high - low) / 2).toBeCloseTo(9.6, 1);
  });

  it("knows nothing without messages", () => {
    expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 100 });
  });
});
