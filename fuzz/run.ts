import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { SingleBar } from "cli-progress";
import { type CampaignOptions, type CampaignResult, runCampaign } from "./engine/campaign.js";
import { addToCorpus, readCorpus, saveInput } from "./engine/corpus.js";
import { Coverage } from "./engine/coverage.js";
import type { FuzzTarget } from "./engine/fuzz-target.js";
import { resultTable } from "./engine/result-table.js";
import { Watchdog } from "./engine/watchdog.js";

const coverage = new Coverage((url) => /^(?!.*node_modules).*\/src\/.*\.ts$/.test(url));
// Only now, because the coverage must exist before the tested code runs.
const { TARGETS } = await import("./targets/index.js");

/** Folder for inputs that violated a property or exceeded the time limit. */
const FINDINGS = resolve("fuzz-findings");

const USAGE = `Usage: npm run fuzz -- [target…] [--minutes N | --inputs N] [--seed S] [--keep]

  --minutes N  how long each target runs (default: 1)
  --inputs N   how many inputs each target runs instead
  --seed S     other seed, other inputs (default: the time)
  --keep       add inputs that reach new code to fuzz/corpus

Targets: ${TARGETS.map(({ name }) => name).join(", ")}`;

/** Reads the arguments, runs the targets, and prints a table of the results. @returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: "string", default: "1" },
      inputs: { type: "string" },
      seed: { type: "string", default: String(Date.now()) },
      keep: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
    allowPositionals: true,
  });
  const [minutes, seed, inputs] = [values.minutes, values.seed, values.inputs ?? "1"].map(Number);
  const unknown = positionals.find((name) => !TARGETS.some((target) => target.name === name));
  if (values.help || unknown !== undefined || !minutes || !inputs || !Number.isSafeInteger(seed)) {
    console.error(unknown === undefined ? USAGE : `There is no target "${unknown}".\n\n${USAGE}`);
    return values.help ? 0 : 1;
  }
  const limits =
    values.inputs === undefined ? { milliseconds: minutes * 60_000 } : { inputs: Number(values.inputs) };
  console.log(`Seed ${seed}`);
  mkdirSync(FINDINGS, { recursive: true });
  const watchdog = new Watchdog(join(FINDINGS, "endless"));
  const results = new Map<string, CampaignResult>();
  for (const target of TARGETS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
    const result = await runTarget(target, { seed: seed ?? 1, ...limits }, watchdog);
    results.set(target.name, result);
    report(target, result);
    if (values.keep) addToCorpus(target, result.kept);
  }
  console.log(resultTable(results));
  return [...results.values()].some(({ findings }) => findings.length > 0) ? 1 : 0;
}

async function runTarget(
  target: FuzzTarget,
  limits: Pick<CampaignOptions, "seed" | "inputs" | "milliseconds">,
  watchdog: Watchdog,
): Promise<CampaignResult> {
  const bar = new SingleBar({ format: `${target.name} {bar} {duration_formatted} {inputs} inputs` });
  const { milliseconds = 0, inputs: wanted = 0 } = limits;
  const started = performance.now();
  bar.start(milliseconds || wanted, 0, { inputs: 0 });
  coverage.reset();
  try {
    return await runCampaign(target, {
      ...limits,
      corpus: readCorpus(target),
      coverage: target.remote ? undefined : coverage,
      onInput: (input) => watchdog.begin(input),
      onProgress: (inputs) => bar.update(milliseconds ? performance.now() - started : inputs, { inputs }),
    });
  } finally {
    watchdog.end();
    bar.stop();
  }
}

/** Saves and prints findings and slow inputs. */
function report(target: FuzzTarget, { findings, slow }: CampaignResult): void {
  const folder = join(FINDINGS, target.name);
  for (const { error, input } of findings) {
    const file = saveInput(folder, input);
    writeFileSync(`${file}.txt`, `${error.stack}\n`);
    console.error(`${target.name}: ${error.name}: ${error.message}\n  input saved to ${file}`);
  }
  for (const input of slow) {
    console.error(`${target.name}: needed too much time\n  input saved to ${saveInput(folder, input)}`);
  }
}
