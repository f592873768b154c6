import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { type DiagLogFunction, DiagLogLevel, diag, ROOT_CONTEXT, SpanKind } from "@opentelemetry/api";
import { getNumberFromEnv, setGlobalErrorHandler } from "@opentelemetry/core";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-proto";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, SamplingDecision } from "@opentelemetry/sdk-trace-base";
import {
  ATTR_SERVICE_INSTANCE_ID,
  ATTR_SERVICE_NAME,
  ATTR_SERVICE_VERSION,
} from "@opentelemetry/semantic-conventions";
import type { Registry } from "prom-client";
import { CountedSpans, type DropReason } from "./counted-spans.js";
import type { ExportedSignals } from "./environment.js";
import { OtlpTracing } from "./otlp-tracing.js";
import { prometheusMetrics } from "./prometheus-metrics.js";
import { RandomIds } from "./random-ids.js";
import { samplerOf } from "./sampler.js";
import { setTracing } from "./tracing.js";

const NAME = "waybill";
/** Maximum time for the last export, in milliseconds. */
const MAX_CLOSE_MS = 1_000;
/** Default interval between exports of metrics, and their timeout, in milliseconds. */
const METRICS_INTERVAL_MS = 60_000;
const METRICS_TIMEOUT_MS = 30_000;

export interface TelemetryOptions {
  readonly signals: Pick<ExportedSignals, "traces" | "metrics">;
  readonly version: string;
  /** Returns the time in milliseconds since the Unix epoch. */
  readonly now: () => number;
  readonly onDropped: (spans: number, reason: DropReason) => void;
  /** Called for invalid environment variables, and for failed exports. */
  readonly onProblem: (problem: string) => void;
}

/** The export over OTLP. */
export interface Telemetry {
  /** Exports a registry's metrics from now on, if metrics are exported. */
  exportMetrics(registry: Registry): void;
  /** Exports what waits, for at most a second. */
  close(): Promise<void>;
}

/** Starts to export over OTLP, as the environment variables of OpenTelemetry configure it. */
export function openTelemetry({ signals, version, now, onDropped, onProblem }: TelemetryOptions): Telemetry {
  const started = now();
  const report: DiagLogFunction = (message) => onProblem(message);
  const ignore = (): void => {};
  diag.setLogger(
    { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  setGlobalErrorHandler((error) => onProblem(problemOf(error)));
  const resource = defaultResource()
    .merge(
      resourceFromAttributes({
        [ATTR_SERVICE_NAME]: NAME,
        [ATTR_SERVICE_VERSION]: version,
        [ATTR_SERVICE_INSTANCE_ID]: randomUUID(),
        "host.name": hostname(),
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }));
  const closing: (() => Promise<void>)[] = [];
  if (signals.traces) {
    const spans = new CountedSpans(new OTLPTraceExporter(), onDropped);
    const idGenerator = new RandomIds();
    const sampler = samplerOf(process.env, onProblem);
    const provider = new BasicTracerProvider({ resource, spanProcessors: [spans], idGenerator, sampler });
    const isSampled = (traceId: string): boolean => {
      const { decision } = sampler.shouldSample(ROOT_CONTEXT, traceId, "call", SpanKind.SERVER, {}, []);
      return decision !== SamplingDecision.NOT_RECORD;
    };
    const tracer = provider.getTracer(NAME, version);
    setTracing(new OtlpTracing(tracer, () => idGenerator.reserveTraceId(isSampled)));
    closing.push(() => {
      setTracing();
      return provider.shutdown();
    });
  }
  return {
    exportMetrics: (registry) => {
      if (!signals.metrics) return;
      const interval = millisecondsOf("OTEL_METRIC_EXPORT_INTERVAL", METRICS_INTERVAL_MS);
      const timeout = millisecondsOf("OTEL_METRIC_EXPORT_TIMEOUT", METRICS_TIMEOUT_MS);
      const reader = new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter(),
        exportIntervalMillis: interval,
        exportTimeoutMillis: Math.min(timeout, interval),
        metricProducers: [prometheusMetrics(registry, { name: NAME, version }, now, started)],
      });
      const provider = new MeterProvider({ resource, readers: [reader] });
      closing.push(() => provider.shutdown());
    },
    close: async () => {
      const closed = Promise.allSettled(closing.map((close) => close()));
      await Promise.race([closed, sleep(MAX_CLOSE_MS, undefined, { ref: false })]);
    },
  };
}

/** Returns a time in an environment variable, or the default if it is not a positive number. */
function millisecondsOf(variable: string, defaultMs: number): number {
  const milliseconds = getNumberFromEnv(variable);
  return milliseconds !== undefined && milliseconds > 0 ? milliseconds : defaultMs;
}

/** Describes an error in one line. Some system errors have only a code. */
function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [line = ""] = error.message.split("\n", 1);
  return line === "" ? String((error as NodeJS.ErrnoException).code ?? error.name) : line;
}
