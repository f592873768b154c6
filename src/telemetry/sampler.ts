import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace-base";
import type { Environment } from "./environment.js";

const DEFAULT_SAMPLER = "parentbased_always_on";
const DEFAULT_RATIO = 1;

/**
 * Returns the sampler that `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG` configure. The SDK does not export its
 * own.
 *
 * @param onProblem called for an invalid variable. The default is then used.
 */
export function samplerOf(env: Environment, onProblem: (problem: string) => void): Sampler {
  const name = env.OTEL_TRACES_SAMPLER?.trim() || DEFAULT_SAMPLER;
  const rootName = name.replace(/^parentbased_/, "");
  const root = rootSamplerOf(rootName, () => ratioOf(env, onProblem));
  if (root !== undefined) return rootName === name ? root : new ParentBasedSampler({ root });
  onProblem(`OTEL_TRACES_SAMPLER: no sampler has this name; ${DEFAULT_SAMPLER} is used`);
  return new ParentBasedSampler({ root: new AlwaysOnSampler() });
}

function rootSamplerOf(name: string, ratio: () => number): Sampler | undefined {
  switch (name) {
    case "always_on":
      return new AlwaysOnSampler();
    case "always_off":
      return new AlwaysOffSampler();
    case "traceidratio":
      return new TraceIdRatioBasedSampler(ratio());
    default:
      return undefined;
  }
}

function ratioOf(
  { OTEL_TRACES_SAMPLER_ARG: text = "" }: Environment,
  onProblem: (problem: string) => void,
): number {
  const ratio = Number(text.trim() || Number.NaN);
  if (ratio >= 0 && ratio <= 1) return ratio;
  onProblem(`OTEL_TRACES_SAMPLER_ARG: expected a number from 0 to 1; ${DEFAULT_RATIO} is used`);
  return DEFAULT_RATIO;
}
