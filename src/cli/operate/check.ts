import { Command, Option } from "commander";
import { findManifest } from "../../backup/backup-directory.js";
import { bytesOf, findChangedFiles } from "../../backup/file-digests.js";
import { expectRestored } from "../../backup/restore-backup.js";
import { EmbeddedRecords } from "../../control/embedded/embedded-records.js";
import { systemClock } from "../../model/clock.js";
import { StoreOpenError, StoreUnavailableError } from "../../model/store-error.js";
import { CommandFailure, failClearly } from "../support/command-failure.js";
import { counted } from "../support/counted.js";
import { requireDirectory } from "../support/flag-files.js";
import { wholeNumber } from "../support/flag-values.js";
import { MEGABYTES, ProgressBar } from "../support/progress-bar.js";
import type { ControlFlags } from "../support/with-control.js";
import { checkUpgrade } from "./check-upgrade.js";

const EXAMPLE = `
Examples:
  $ waybill check --data-dir /backups/2026-11-22
  $ waybill check --data-dir /var/lib/waybill --days 7
  $ waybill check --upgrade --config /etc/waybill/waybill.yaml --data-dir /var/lib/waybill`;

interface CheckFlags extends ControlFlags {
  readonly days?: number;
  readonly upgrade?: true;
}

/** `waybill check`: verifies a data directory or a backup, or shows how an upgrade changes it. */
export function checkCommand(): Command {
  return new Command("check")
    .description(
      "Verify the data directory of a stopped server, or a backup. With --upgrade, show how an upgrade changes it",
    )
    .option("--data-dir <dir>", "directory to verify; it is not changed")
    .option(
      "--days <count>",
      "recount only the messages of this many newest days per project (default: all)",
      wholeNumber(0),
    )
    .addOption(
      new Option("--upgrade", "show which data this version would migrate, and change nothing").conflicts(
        "days",
      ),
    )
    .option(
      "--config <file>",
      "with --upgrade: server's configuration file, which names a cluster's databases",
    )
    .addHelpText("after", EXAMPLE)
    .action(failClearly((flags: CheckFlags) => (flags.upgrade ? checkUpgrade(flags) : check(flags))));
}

async function check({ dataDir, config, days: newestDays }: CheckFlags): Promise<void> {
  if (config !== undefined) throw new CommandFailure("--config: only --upgrade reads it");
  if (dataDir === undefined) throw new CommandFailure("--data-dir: name the directory to verify");
  await requireDirectory("--data-dir", dataDir);
  let problems = 0;
  const onProblem = (problem: string): void => {
    problems++;
    process.stdout.write(`${problem}\n`);
  };
  await expectRestored(dataDir);
  for (const problem of await changedFilesIn(dataDir)) onProblem(problem);
  const { rows, days } = await checkEntries(dataDir, newestDays, onProblem);
  const records = await checkRecords(dataDir, onProblem);
  if (problems > 0) throw new CommandFailure(`${dataDir}: found ${counted(problems, "problem")}`);
  process.stdout.write(
    `${dataDir}: no problems; read ${counted(rows, "row")}, recounted the messages of ${counted(days, "day")}, ` +
      `read ${counted(records, "control record")}\n`,
  );
}

/** Compares a backup's files with its manifest. A data directory has no manifest, and the check is skipped. */
async function changedFilesIn(directory: string): Promise<string[]> {
  const manifest = await findManifest(directory);
  if (manifest === undefined) return [];
  const bar = new ProgressBar("files", bytesOf(manifest), MEGABYTES);
  try {
    return await findChangedFiles(directory, manifest, (bytes) => bar.add(bytes));
  } finally {
    bar.stop();
  }
}

/** Checks the control data. @returns the number of records. */
async function checkRecords(dataDir: string, onProblem: (problem: string) => void): Promise<number> {
  const records = await EmbeddedRecords.openToCheck(dataDir, systemClock).catch((error: unknown) => {
    if (!(error instanceof StoreOpenError)) throw error;
    onProblem(error.message);
    return undefined;
  });
  if (records === undefined) return 0;
  try {
    const problems = records.check();
    for (const problem of problems) onProblem(problem);
    let count = 0;
    if (problems.length === 0) for await (const some of records.allRecords()) count += some.length;
    return count;
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    onProblem(error.message);
    return 0;
  } finally {
    await records.close();
  }
}

async function checkEntries(
  dataDir: string,
  newestDays: number | undefined,
  onProblem: (problem: string) => void,
): Promise<{ readonly rows: number; readonly days: number }> {
  // The native library is loaded only for this command.
  const { checkDatabase } = await import("../../store/duckdb/check-database.js");
  const problems: string[] = [];
  let bar: ProgressBar | undefined;
  try {
    return await checkDatabase(dataDir, {
      newestDays,
      // Problems are printed after the progress bar is gone.
      onProblem: (problem) => problems.push(problem),
      onSteps: (steps) => {
        bar = new ProgressBar("database", steps, { name: "steps", size: 1 });
      },
      onStep: () => bar?.add(1),
    });
  } finally {
    bar?.stop();
    for (const problem of problems) onProblem(problem);
  }
}
