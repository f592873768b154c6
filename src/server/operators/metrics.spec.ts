import { describe, expect, it } from "vitest";
import { MAX_FAILED_APPS } from "../../limits/data-limits.js";
import { Metrics } from "./metrics.js";

const PROJECT = "123456789012";

describe("metrics of attestation failures", () => {
  it("have a series for each of the first apps, and shared series for all other apps", async () => {
    const metrics = new Metrics();
    const fail = (appId: string): void => {
      const failure = {
        provider: "debug",
        step: "debug_token",
        expected: "a secret",
        found: "none",
      } as const;
      metrics.countAttestationFailure({ project: PROJECT, appId }, failure);
    };
    const EXCESS = 5;
    for (let app = 0; app < MAX_FAILED_APPS + EXCESS; app++) fail(`app-${app}`);
    fail("app-0");
    const { values } = (await metrics.registry
      .getSingleMetric("waybill_attestation_failures_total")
      ?.get()) ?? {
      values: [],
    };
    const of = { provider: "debug", step: "debug_token" };
    expect(values).toHaveLength(MAX_FAILED_APPS + 1);
    expect(values).toContainEqual({ value: 2, labels: { project: PROJECT, app: "app-0", ...of } });
    expect(values).toContainEqual({ value: EXCESS, labels: { project: "", app: "", ...of } });
  });
});
