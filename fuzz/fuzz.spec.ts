import { describe, expect, test } from "vitest";
import { runCampaign } from "./engine/campaign.js";
import { readCorpus } from "./engine/corpus.js";
import { TARGETS } from "./targets/index.js";

/** Always the same inputs, so that a failure is one of the change that is tested; `npm run fuzz` looks for others. */
const SEED = 1;

describe(`fuzzing with the corpus and seed ${SEED} breaks no property of`, () => {
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
