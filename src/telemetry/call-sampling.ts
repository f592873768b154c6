import { ROOT_CONTEXT, SpanKind } from "@opentelemetry/api";
import { getNumberFromEnv, getStringFromEnv } from "@opentelemetry/core";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  type IdGenerator,
  ParentBasedSampler,
  RandomIdGenerator,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace-base";

/** Name of a call's span before the call is routed. */
export const CALL = "call";

/**
 * Decides whether a new trace is sampled before its first span is created, because an unsampled span costs more than the
 * decision.
 */
export class CallSampling implements IdGenerator {
  readonly sampler: Sampler;
  readonly #ids = new RandomIdGenerator();
  #decided: string | undefined;

  constructor(sampler: Sampler) {
    this.sampler = sampler;
  }

  /** Returns true if the next trace is sampled. Its first span must be created right afterwards. */
  samplesNext(): boolean {
    const traceId = this.#ids.generateTraceId();
    const { decision } = this.sampler.shouldSample(ROOT_CONTEXT, traceId, CALL, SpanKind.SERVER, {}, []);
    if (decision === SamplingDecision.NOT_RECORD) return false;
    this.#decided = traceId;
    return true;
  }

  /** Returns the trace id that {@link samplesNext} has sampled, or another one. */
  generateTraceId(): string {
    const traceId = this.#decided ?? this.#ids.generateTraceId();
    this.#decided = undefined;
    return traceId;
  }

  generateSpanId(): string {
    return this.#ids.generateSpanId();
  }
}

/**
 * Returns the sampler in the environment variables of OpenTelemetry. The SDK has the same function, but does not export
 * it, and reports invalid values.
 */
export function samplerOfEnvironment(): Sampler {
  const name = getStringFromEnv("OTEL_TRACES_SAMPLER") ?? "";
  const root = rootSampler(name.replace(/^parentbased_/, ""));
  const isRoot = ["always_on", "always_off", "traceidratio"].includes(name);
  return isRoot ? root : new ParentBasedSampler({ root });
}

function rootSampler(name: string): Sampler {
  if (name === "always_off") return new AlwaysOffSampler();
  const ratio = getNumberFromEnv("OTEL_TRACES_SAMPLER_ARG") ?? 1;
  const isRatio = name === "traceidratio" && ratio >= 0 && ratio <= 1;
  return isRatio ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
}
