import type { HrTime } from "@opentelemetry/api";
import { ValueType } from "@opentelemetry/api";
import { emptyResource } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from "@opentelemetry/sdk-metrics";
import type { MetricObjectWithValues, MetricValue, Registry } from "prom-client";

/** A sample of a metric. Each part of a histogram has its own name. */
type Sample = MetricValue<string> & { readonly metricName?: string };

/** Start and end of the time that a value covers. */
interface Period {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

/**
 * Reads a Prometheus registry's metrics for an export over OTLP, with the same names and labels.
 *
 * @param now returns the time in milliseconds since the Unix epoch.
 * @param started time since which counters count.
 */
export function prometheusMetrics(
  registry: Pick<Registry, "getMetricsAsJSON">,
  scope: { readonly name: string; readonly version: string },
  now: () => number,
  started: number,
): MetricProducer {
  return {
    collect: async () => {
      const metrics = await registry.getMetricsAsJSON();
      const period = { startTime: hrTimeOf(started), endTime: hrTimeOf(now()) };
      const scopeMetrics = [{ scope, metrics: metrics.flatMap((metric) => metricData(metric, period)) }];
      return { resourceMetrics: { resource: emptyResource(), scopeMetrics }, errors: [] };
    },
  };
}

const hrTimeOf = (ms: number): HrTime => [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1_000_000)];

function metricData(metric: MetricObjectWithValues<MetricValue<string>>, period: Period): MetricData[] {
  const { name, help: description, values } = metric;
  // In JSON, the type is a word. The declared enum has numbers.
  const type = String(metric.type);
  const common = {
    descriptor: { name, description, unit: "", valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  if (values.length === 0) return [];
  if (type === "histogram") {
    const dataPoints = histogramsOf(name, values).map(({ attributes, value }) => ({
      ...period,
      attributes,
      value,
    }));
    return [{ ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints }];
  }
  const dataPoints = values.map(({ labels, value }) => ({
    ...period,
    attributes: attributesOf(labels),
    value,
  }));
  return type === "counter"
    ? [{ ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }]
    : [{ ...common, dataPointType: DataPointType.GAUGE, dataPoints }];
}

type Labels = Record<string, string>;

/** Converts labels. In Prometheus, all values are strings. */
const attributesOf = (labels: Partial<Record<string, string | number>>): Labels =>
  Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, String(value)]));

/** Joins the samples of each histogram. In Prometheus, each bucket includes the smaller ones. */
function histogramsOf(
  name: string,
  samples: readonly Sample[],
): { readonly attributes: Labels; readonly value: Histogram }[] {
  const series = new Map<
    string,
    { attributes: Labels; bounds: number[]; totals: number[]; sum: number; count: number }
  >();
  for (const { metricName, labels, value } of samples) {
    const { le, ...attributes } = attributesOf(labels);
    const key = JSON.stringify(attributes);
    const one = series.get(key) ?? { attributes, bounds: [], totals: [], sum: 0, count: 0 };
    series.set(key, one);
    if (metricName === `${name}_sum`) one.sum = value;
    else if (metricName === `${name}_count`) one.count = value;
    else if (le !== "+Inf") {
      one.bounds.push(Number(le));
      one.totals.push(value);
    }
  }
  return [...series.values()].map(({ attributes, bounds, totals, sum, count }) => ({
    attributes,
    value: {
      sum,
      count,
      buckets: {
        boundaries: bounds,
        counts: [...totals, count].map((total, index) => total - (totals[index - 1] ?? 0)),
      },
    },
  }));
}
