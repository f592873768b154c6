import fc from "fast-check";
import { expect, test } from "vitest";
import { labelChunks } from "./use-label-days.js";

const labels = fc.uniqueArray(fc.string({ maxLength: 50 }), { maxLength: 200 });

test("labelChunks requests every label once, within the limit for groups", () => {
  fc.assert(
    fc.property(labels, fc.integer({ min: 1, max: 10_000 }), (all, days) => {
      const chunks = labelChunks(all, days);
      expect(chunks.flat().sort()).toEqual([...all].sort());
      for (const chunk of chunks) {
        expect(chunk.length).toBeGreaterThan(0);
        expect(chunk.length * days).toBeLessThanOrEqual(10_000);
      }
    }),
  );
});

test("labelChunks returns the same chunks for labels in any order", () => {
  fc.assert(
    fc.property(labels, (all) => {
      expect(labelChunks([...all].reverse(), 90)).toEqual(labelChunks(all, 90));
    }),
  );
});

test.each([
  { count: 24, days: 90, requests: 1 },
  { count: 25, days: 90, requests: 2 },
  { count: 24, days: 1_000, requests: 3 },
  { count: 0, days: 90, requests: 0 },
  // A label has one group per day, and cannot be split.
  { count: 2, days: 20_000, requests: 2 },
])("labelChunks splits $count labels on $days days into $requests requests", ({ count, days, requests }) => {
  const all = Array.from({ length: count }, (_, index) => `label-${index}`);
  expect(labelChunks(all, days).length).toBe(requests);
});
