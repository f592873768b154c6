import { expect, test } from "vitest";
import { samplerOf } from "./sampler.js";

/** Returns a description of the sampler, and the variables with problems. */
function described(name: string | undefined, argument?: string): readonly [string, ...string[]] {
  const problems: string[] = [];
  const env = { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: argument };
  const sampler = samplerOf(env, (problem) => problems.push(problem.replace(/:.*/, "")));
  return [sampler.toString().replace(/, .*/, "}"), ...problems];
}

test.each([
  [undefined, undefined, "ParentBased{root=AlwaysOnSampler}"],
  ["", "0.1", "ParentBased{root=AlwaysOnSampler}"],
  ["always_on", undefined, "AlwaysOnSampler"],
  ["always_off", "1", "AlwaysOffSampler"],
  ["traceidratio", "0.25", "TraceIdRatioBased{0.25}"],
  ["traceidratio", "0", "TraceIdRatioBased{0}"],
  ["parentbased_always_on", undefined, "ParentBased{root=AlwaysOnSampler}"],
  ["parentbased_always_off", undefined, "ParentBased{root=AlwaysOffSampler}"],
  [" parentbased_traceidratio ", " 0.1 ", "ParentBased{root=TraceIdRatioBased{0.1}}"],
])("the sampler %s with the argument %s is %s", (name, argument, expected) => {
  expect(described(name, argument)).toEqual([expected]);
});

test.each(["toString", "parentbased_", "parentbased_parentbased_always_on", "jaeger_remote", "Always_On"])(
  "the unknown sampler %s is reported",
  (name) => {
    expect(described(name)).toEqual(["ParentBased{root=AlwaysOnSampler}", "OTEL_TRACES_SAMPLER"]);
  },
);

test.each([undefined, "", " ", "-0.1", "1.1", "ten", "Infinity"])(
  "the ratio %s is reported, and all traces are sampled",
  (argument) => {
    expect(described("traceidratio", argument)).toEqual(["TraceIdRatioBased{1}", "OTEL_TRACES_SAMPLER_ARG"]);
  },
);
