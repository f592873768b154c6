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
