import { Command } from "commander";
import { readManifest } from "../../backup/manifest.js";
import { restoreBackup } from "../../backup/restore-backup.js";
import { bytesOf } from "../../backup/verify-files.js";
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

/** `waybill restore`: makes a data directory of a backup. */
export function restoreCommand(): Command {
  return new Command("restore")
    .description("Make a data directory of a backup")
    .requiredOption("--from <dir>", "directory that waybill backup wrote")
    .requiredOption("--data-dir <dir>", "where to restore it; a new or empty directory")
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
