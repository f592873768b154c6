import { DataPointType } from "@opentelemetry/sdk-metrics";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { expect, test } from "vitest";
import { prometheusMetrics } from "./prometheus-metrics.js";

const SCOPE = { name: "waybill", version: "1.2.3" };

async function collected(registry: Registry) {
  const { resourceMetrics, errors } = await prometheusMetrics(registry, SCOPE, () => 2_500, 1_000).collect();
  expect(errors).toEqual([]);
  expect(resourceMetrics.scopeMetrics[0]?.scope).toEqual(SCOPE);
  return resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics);
}

test("converts counters to sums since the start, and gauges to their values", async () => {
  const registers = [new Registry()];
  new Counter({ name: "calls_total", help: "Calls.", labelNames: ["status"], registers }).inc(
    { status: 404 },
    3,
  );
  new Gauge({ name: "lag_seconds", help: "Lag.", registers }).set(1.5);
  const [calls, lag] = await collected(registers[0] as Registry);
  expect(calls).toMatchObject({
    descriptor: { name: "calls_total", description: "Calls." },
    dataPointType: DataPointType.SUM,
    isMonotonic: true,
    dataPoints: [{ startTime: [1, 0], endTime: [2, 500_000_000], attributes: { status: "404" }, value: 3 }],
  });
  expect(lag).toMatchObject({
    dataPointType: DataPointType.GAUGE,
    dataPoints: [{ attributes: {}, value: 1.5 }],
  });
});

test("converts each series of a histogram, with the count of each bucket", async () => {
  const registers = [new Registry()];
  const options = { name: "seconds", help: "Time.", labelNames: ["operation"], buckets: [1, 2], registers };
  const histogram = new Histogram(options);
  for (const seconds of [0.5, 1, 1.5, 9]) histogram.observe({ operation: "get" }, seconds);
  histogram.observe({ operation: "list" }, 2);
  const [metric] = await collected(registers[0] as Registry);
  expect(metric?.dataPointType).toBe(DataPointType.HISTOGRAM);
  expect(metric?.dataPoints.map(({ attributes, value }) => [attributes, value])).toEqual([
    [{ operation: "get" }, { sum: 12, count: 4, buckets: { boundaries: [1, 2], counts: [2, 1, 1] } }],
    [{ operation: "list" }, { sum: 2, count: 1, buckets: { boundaries: [1, 2], counts: [0, 1, 0] } }],
  ]);
});

test("omits metrics without samples", async () => {
  const registers = [new Registry()];
  new Counter({ name: "calls_total", help: "Calls.", labelNames: ["status"], registers });
  expect(await collected(registers[0] as Registry)).toEqual([]);
});
