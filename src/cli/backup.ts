import { Command } from "commander";
import type { Manifest } from "../backup/manifest.js";
import { receiveBackup } from "../backup/receive-backup.js";
import { bytesOf } from "../backup/verify-files.js";
import { writeBackup } from "../backup/write-backup.js";
import { CommandFailure } from "./support/command-failure.js";
import { copyKeys } from "./support/copy-keys.js";
import { failClearly } from "./support/fail-clearly.js";
import { adminFlag, callOperators } from "./support/operators-listener.js";
import { MEGABYTES, ProgressBar } from "./support/progress-bar.js";

const EXAMPLE = `
Examples:
  $ waybill backup --out /backups/2026-11-22
  $ waybill backup --admin http://127.0.0.1:9090 --out /backups/2026-11-22 --with-keys --data-dir /var/lib/waybill`;

interface BackupFlags {
  readonly admin: string;
  readonly out: string;
  readonly withKeys?: true;
  readonly dataDir: string;
}

/** `waybill backup`: copies the data of a running server. */
export function backupCommand(): Command {
  return new Command("backup")
    .description("Copy the data of a running server on this machine, as of one moment")
    .addOption(adminFlag())
    .requiredOption("--out <dir>", "where to write the backup; a new or empty directory")
    .option("--with-keys", "copy the keys of the data directory too")
    .option("--data-dir <dir>", "data directory of the server, for --with-keys", "./data")
    .addHelpText("after", EXAMPLE)
    .action(
      failClearly(async ({ admin, out, withKeys, dataDir }: BackupFlags) => {
        const manifest = await writeBackup(out, async () => {
          const keys = withKeys ? await copyKeys(dataDir, out) : [];
          const received = await receive(await requestBackup(admin), out);
          return { ...received, files: [...received.files, ...keys] };
        });
        process.stdout.write(`${out}: ${summaryOf(manifest)}\n`);
      }),
    );
}

async function requestBackup(admin: string): Promise<AsyncIterable<Uint8Array>> {
  const { body } = await callOperators(admin, "backup", { method: "POST" });
  if (body === null) throw new CommandFailure(`${admin} sent an empty backup`);
  return body;
}

async function receive(answer: AsyncIterable<Uint8Array>, out: string): Promise<Manifest> {
  const isTerminal = process.stderr.isTTY;
  let bar: ProgressBar | undefined;
  try {
    return await receiveBackup(answer, out, {
      onSnapshot: (bytes) => {
        if (isTerminal) process.stderr.write(`\rpreparing: ${Math.ceil(bytes / MEGABYTES.size)} MB`);
      },
      onTotal: (bytes) => {
        if (isTerminal) process.stderr.write("\r\x1b[K");
        bar = new ProgressBar(out, bytes, MEGABYTES);
      },
      onBytes: (bytes) => bar?.add(bytes),
    });
  } finally {
    bar?.stop();
  }
}

function summaryOf(manifest: Manifest): string {
  const { time, files } = manifest;
  return `all data as of ${time}, or later; ${files.length} files, ${bytesOf(manifest)} bytes`;
}
