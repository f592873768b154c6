/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface ExportedSignals {
  readonly traces: boolean;
  readonly metrics: boolean;
  /** Environment variables with values that prevent an export. */
  readonly problems: readonly { readonly variable: string; readonly problem: string }[];
}

type Signal = "TRACES" | "METRICS";

/** Values of `OTEL_*_EXPORTER` that need no export. `/metrics` serves Prometheus anyway. */
const NOT_EXPORTED: Readonly<Record<Signal, readonly string[]>> = {
  TRACES: ["none"],
  METRICS: ["none", "prometheus"],
};

/**
 * Returns the signals to export according to the standard environment variables of OpenTelemetry. A signal is exported
 * if an endpoint or the exporter `otlp` is set for it.
 */
export function exportedSignals(env: Environment): ExportedSignals {
  const problems = new Map<string, string>();
  const set = (variable: string): string | undefined => env[variable]?.trim() || undefined;
  const isExported = (signal: Signal): boolean => {
    const [endpoint, protocol] = ["ENDPOINT", "PROTOCOL"].map((key) =>
      [`OTEL_EXPORTER_OTLP_${signal}_${key}`, `OTEL_EXPORTER_OTLP_${key}`].find((name) => set(name)),
    );
    const exporter = `OTEL_${signal}_EXPORTER`;
    const names = (set(exporter) ?? (endpoint === undefined ? "none" : "otlp")).split(",");
    const unknown = names.find((name) => name !== "otlp" && !NOT_EXPORTED[signal].includes(name));
    if (unknown !== undefined) problems.set(exporter, "the only exporter is otlp");
    if (!names.includes("otlp")) return false;
    if (protocol !== undefined && set(protocol) !== "http/protobuf") {
      problems.set(protocol, "the only protocol is http/protobuf");
      return false;
    }
    if (endpoint !== undefined && !isHttpUrl(set(endpoint))) {
      problems.set(endpoint, "it is not an HTTP URL");
      return false;
    }
    return true;
  };
  const isOn = set("OTEL_SDK_DISABLED")?.toLowerCase() !== "true";
  const [traces, metrics] = [isOn && isExported("TRACES"), isOn && isExported("METRICS")];
  return {
    traces,
    metrics,
    problems: [...problems].map(([variable, problem]) => ({ variable, problem })),
  };
}

const isHttpUrl = (text = ""): boolean => /^https?:\/\//i.test(text) && URL.canParse(text);
