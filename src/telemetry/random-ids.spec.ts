import { isValidSpanId, isValidTraceId } from "@opentelemetry/api";
import { expect, test } from "vitest";
import { RandomIds } from "./random-ids.js";

test("creates valid ids, each once", () => {
  const ids = new RandomIds();
  const traceIds = Array.from({ length: 1_000 }, () => {
    const spanId = ids.generateSpanId();
    expect(isValidSpanId(spanId)).toBe(true);
    return [ids.generateTraceId(), spanId] as const;
  });
  for (const [traceId] of traceIds) expect(isValidTraceId(traceId)).toBe(true);
  // No part of an id occurs in another one.
  const parts = traceIds.flatMap(([traceId, spanId]) => [traceId.slice(0, 16), traceId.slice(16), spanId]);
  expect(new Set(parts).size).toBe(3_000);
});

test.each([
  { share: 0, matches: () => false },
  { share: 1 / 16, matches: (traceId: string) => traceId.endsWith("0") },
  { share: 1 / 2, matches: (traceId: string) => traceId < "8" },
  { share: 1, matches: () => true },
])("reserves an id for the share $share of all traces", ({ share, matches }) => {
  const ids = new RandomIds();
  const created = new Set<string>();
  const count = 20_000;
  let reserved = 0;
  for (let trace = 0; trace < count; trace++) {
    const isReserved = ids.reserveTraceId(matches);
    // Another trace gets another id, which does not depend on the condition.
    const [traceId, other] = [ids.generateTraceId(), ids.generateTraceId()];
    if (isReserved) {
      expect(matches(traceId)).toBe(true);
      reserved++;
    }
    created.add(traceId).add(other);
  }
  expect(created.size).toBe(2 * count);
  // More than six standard deviations.
  expect(Math.abs(reserved - share * count)).toBeLessThanOrEqual(
    6.5 * Math.sqrt(count * share * (1 - share)),
  );
});
