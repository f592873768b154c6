import { Command } from "commander";
import { readManifest } from "../../backup/backup-directory.js";
import { bytesOf } from "../../backup/file-digests.js";
import { restoreBackup } from "../../backup/restore-backup.js";
import { failClearly } from "../support/command-failure.js";
import { requireDirectory } from "../support/flag-files.js";
import { MEGABYTES, ProgressBar } from "../support/progress-bar.js";

const EXAMPLE = `
Example:
  $ waybill restore --from /backups/2026-11-22 --data-dir /var/lib/waybill
  $ waybill serve --config waybill.yaml --data-dir /var/lib/waybill`;

interface RestoreFlags {
  readonly from: string;
  readonly dataDir: string;
}

/** `waybill restore`: creates a data directory from a backup. */
export function restoreCommand(): Command {
  return new Command("restore")
    .description("Create a data directory from a backup")
    .requiredOption("--from <dir>", "backup directory, written by waybill backup")
    .requiredOption("--data-dir <dir>", "data directory to create; must be new or empty")
    .addHelpText("after", EXAMPLE)
    .action(
      failClearly(async ({ from, dataDir }: RestoreFlags) => {
        await requireDirectory("--from", from);
        const manifest = await readManifest(from);
        const bar = new ProgressBar(dataDir, bytesOf(manifest), MEGABYTES);
        try {
          await restoreBackup(from, manifest, dataDir, (bytes) => bar.add(bytes));
        } finally {
          bar.stop();
        }
        process.stdout.write(`${dataDir}: restored from the backup of ${manifest.time}\n`);
      }),
    );
}
