import { expect, test } from "vitest";
import { type Environment, exportedSignals } from "./environment.js";

const ENDPOINT = "http://127.0.0.1:4318";
const NEITHER = { traces: false, metrics: false };
const BOTH = { traces: true, metrics: true };

test.for<[env: Environment, signals: object]>([
  [{}, NEITHER],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: " " }, NEITHER],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT }, BOTH],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${ENDPOINT}/v1/traces` }, { traces: true, metrics: false }],
  [{ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${ENDPOINT}/v1/metrics` }, { traces: false, metrics: true }],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_METRICS_EXPORTER: "none" },
    { traces: true, metrics: false },
  ],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_METRICS_EXPORTER: "prometheus" },
    { traces: true, metrics: false },
  ],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_METRICS_EXPORTER: "prometheus,otlp" }, BOTH],
  [{ OTEL_TRACES_EXPORTER: "otlp" }, { traces: true, metrics: false }],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_SDK_DISABLED: "TRUE" }, NEITHER],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf" }, BOTH],
])("selects the signals for %j", ([env, signals]) => {
  expect(exportedSignals(env)).toEqual({ ...signals, problems: [] });
});

test.for<[env: Environment, variable: string]>([
  [{ OTEL_TRACES_EXPORTER: "zipkin" }, "OTEL_TRACES_EXPORTER"],
  [
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "grpc" },
    "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
  ],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "127.0.0.1:4318" }, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"],
  [{ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "ftp://127.0.0.1" }, "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"],
])("reports an unsupported value in %j", ([env, variable]) => {
  expect(exportedSignals(env)).toEqual({
    ...NEITHER,
    problems: [{ variable, problem: expect.any(String) }],
  });
});
