import { expect, onTestFinished, test } from "vitest";
import { runCampaign } from "./campaign.js";
import { Coverage } from "./coverage.js";
import type { FuzzTarget } from "./fuzz-target.js";

const targetOf = (run: FuzzTarget["run"], more: Partial<FuzzTarget> = {}): FuzzTarget => ({
  name: "test",
  seeds: [],
  words: ["bad"],
  boundedInputs: 0,
  run,
  ...more,
});

test("a campaign runs its corpus, then a number of other inputs, always the same ones for a seed", async () => {
  const inputsOf = async (seed: number): Promise<string[]> => {
    const inputs: string[] = [];
    const target = targetOf((input) => void inputs.push(input.toString("latin1")));
    const corpus = ["one", "two"].map((text) => Buffer.from(text));
    expect(await runCampaign(target, { seed, corpus, inputs: 100 })).toMatchObject({
      inputs: 102,
      findings: [],
    });
    return inputs;
  };
  const first = await inputsOf(1);
  expect(first.slice(0, 2)).toEqual(["one", "two"]);
  expect(new Set(first).size).toBeGreaterThan(50);
  expect(await inputsOf(1)).toEqual(first);
  expect(await inputsOf(2)).not.toEqual(first);
});

test("a campaign finds each kind of failure once, with a minimized input", async () => {
  const target = targetOf((input) => {
    const text = input.toString("latin1");
    if (text.includes("bad")) throw new TypeError(`cannot read "${text.replaceAll('"', "")}"`);
    if (text.includes("!")) throw new RangeError("too large");
  });
  const corpus = [Buffer.from("a long text with a mark! at an end"), Buffer.from("plain")];
  const { findings } = await runCampaign(target, { seed: 1, corpus, inputs: 2_000 });
  const found = findings.map(({ error, input }) => `${error.name} ${input.toString("latin1")}`);
  expect(found.toSorted()).toEqual(["RangeError !", "TypeError bad"]);
});

test("a campaign reports a failure that shows only at its end", async () => {
  const stop = () => Promise.reject(new Error("leaks"));
  const { findings } = await runCampaign(
    targetOf(() => {}, { stop }),
    { seed: 1, corpus: [], inputs: 1 },
  );
  expect(findings.map(({ error }) => error.message)).toEqual(["leaks"]);
});

test("a campaign with coverage keeps inputs that reach new code, and derives others from them", async () => {
  const words = ["alpha", "beta", "gamma", "delta", "omega"];
  let most = 0;
  const target = targetOf(
    (input) => {
      const [a, b, c, d, e] = words.map((word) => input.includes(word));
      // Coverage counts blocks of code.
      if (a) {
        most = Math.max(most, 1);
        if (b) {
          most = Math.max(most, 2);
          if (c) {
            most = Math.max(most, 3);
            if (d) {
              most = Math.max(most, 4);
              if (e) most = 5;
            }
          }
        }
      }
    },
    { words },
  );
  const coverage = new Coverage((url) => url.endsWith("/fuzz/engine/campaign.spec.ts"));
  onTestFinished(() => coverage.stop());
  const options = { seed: 1, corpus: [Buffer.from("x")], inputs: 10_000 };
  const { kept } = await runCampaign(target, { ...options, coverage });
  expect(most).toBe(5);
  expect(kept.length).toBeGreaterThanOrEqual(3);
  coverage.reset();
  expect(coverage.hasGrown()).toBe(false);
  await target.run(Buffer.from("x"));
  expect(coverage.grow()).toBe(true);
  await target.run(Buffer.from("x"));
  expect(coverage.hasGrown()).toBe(false);

  most = 0;
  expect((await runCampaign(target, options)).kept).toEqual([]);
  expect(most).toBeLessThan(5);
});
