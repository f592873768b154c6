import { afterEach, expect, test, vi } from "vitest";
import { samplerOfEnvironment } from "./call-sampling.js";

afterEach(() => void vi.unstubAllEnvs());

test.for<[sampler: string | undefined, argument: string | undefined, description: RegExp]>([
  [undefined, undefined, /^ParentBased\{root=AlwaysOnSampler,/],
  ["", undefined, /^ParentBased\{root=AlwaysOnSampler,/],
  ["unknown", undefined, /^ParentBased\{root=AlwaysOnSampler,/],
  ["always_on", undefined, /^AlwaysOnSampler$/],
  ["always_off", undefined, /^AlwaysOffSampler$/],
  ["traceidratio", "0.25", /^TraceIdRatioBased\{0\.25\}$/],
  ["parentbased_always_off", undefined, /^ParentBased\{root=AlwaysOffSampler,/],
  ["parentbased_traceidratio", "0.1", /^ParentBased\{root=TraceIdRatioBased\{0\.1\},/],
  ["parentbased_traceidratio", undefined, /^ParentBased\{root=TraceIdRatioBased\{1\},/],
  ["traceidratio", "2", /^AlwaysOnSampler$/],
])(
  "OTEL_TRACES_SAMPLER=%s and OTEL_TRACES_SAMPLER_ARG=%s configure a sampler",
  ([sampler, argument, description]) => {
    vi.stubEnv("OTEL_TRACES_SAMPLER", sampler);
    vi.stubEnv("OTEL_TRACES_SAMPLER_ARG", argument);
    expect(samplerOfEnvironment().toString()).toMatch(description);
  },
);
