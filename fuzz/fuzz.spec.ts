import { describe, expect, test } from "vitest";
import { runCampaign } from "./engine/campaign.js";
import { readCorpus } from "./engine/corpus.js";
import { TARGETS } from "./targets/index.js";

/**
 * A fixed seed makes the same inputs every time, which ties a failure to the tested change. `npm run fuzz`
 * explores other inputs.
 */
const SEED = 1;

describe(`fuzzing with the corpus and seed ${SEED} finds no violation in`, () => {
  test.each(TARGETS.map((target) => [target.name, target] as const))("%s", async (_name, target) => {
    const { findings } = await runCampaign(target, {
      seed: SEED,
      corpus: readCorpus(target),
      inputs: target.boundedInputs,
    });
    const failures = findings.map(({ error, input }) => ({
      error: error.stack,
      input: input.toString("latin1"),
    }));
    expect(failures).toEqual([]);
  });
});
