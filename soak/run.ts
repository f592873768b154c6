import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { killCampaign } from "./kill-campaign.js";
import { Progress } from "./report/progress.js";
import { Report } from "./report/report.js";
import { Violations } from "./report/violations.js";
import { soak } from "./soak.js";

const USAGE = `npm run soak -- --minutes N   soaks a server for N minutes
npm run soak -- --kills N     kills servers N times
Options may be combined. --seed S makes the same choices as an earlier run.`;

const { values } = parseArgs({
  options: { minutes: { type: "string" }, kills: { type: "string" }, seed: { type: "string" } },
});
const minutes = positive(values.minutes);
const kills = positive(values.kills);
const seed = positive(values.seed) ?? Math.floor(Math.random() * 2 ** 31);
if (minutes === undefined && kills === undefined) fail();

const directory = mkdtempSync(join(tmpdir(), "waybill-soak-"));
process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const progress = new Progress();
let failed = false;
progress.log(`seed ${seed}`);
if (minutes !== undefined)
  await run(`soak of ${minutes} minutes, seed ${seed}`, (report) =>
    soak({ minutes, seed, directory }, report, progress),
  );
if (kills !== undefined)
  await run(`campaign of ${kills} kills, seed ${seed}`, (report) =>
    killCampaign({ kills, seed, directory }, report, progress),
  );
process.exit(failed ? 1 : 0);

/** Makes a run and prints its report, even if the run fails. */
async function run(title: string, work: (report: Report) => Promise<void>): Promise<void> {
  const violations = new Violations((text) => progress.log(`VIOLATION ${text}`));
  const report = new Report(title, violations);
  try {
    await work(report);
  } catch (error) {
    violations.add(`the run was aborted: ${error instanceof Error ? error.stack : String(error)}`);
  }
  progress.update("");
  console.log(`${report}\n`);
  failed ||= violations.count > 0;
}

function positive(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  return value > 0 ? value : fail();
}

function fail(): never {
  console.error(USAGE);
  process.exit(1);
}
