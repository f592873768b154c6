import { Command } from "commander";
import type { Manifest } from "../../backup/manifest.js";
import { receiveBackup } from "../../backup/receive-backup.js";
import { bytesOf } from "../../backup/verify-files.js";
import { writeBackup } from "../../backup/write-backup.js";
import { CommandFailure, failClearly } from "../support/command-failure.js";
import { MEGABYTES, ProgressBar } from "../support/progress-bar.js";
import { copyKeys } from "../support/with-control.js";
import { type AdminFlags, addAdminFlags, callAdmin, serverConfig } from "./admin-listener.js";

const EXAMPLE = `
Examples:
  $ waybill backup --out /backups/2026-11-22
  $ waybill backup --admin http://127.0.0.1:9090 --out /backups/2026-11-22 --with-keys --data-dir /var/lib/waybill`;

interface BackupFlags extends AdminFlags {
  readonly out: string;
  readonly withKeys?: true;
}

/** `waybill backup`: copies the data of a running server. */
export function backupCommand(): Command {
  return addAdminFlags(new Command("backup"))
    .description("Copy the data of a running server, as of one moment")
    .requiredOption("--out <dir>", "where to write the backup; a new or empty directory")
    .option("--with-keys", "copy the keys of the data directory too")
    .addHelpText("after", EXAMPLE)
    .action(
      failClearly(async ({ out, withKeys, ...flags }: BackupFlags) => {
        const manifest = await writeBackup(out, async () => {
          const keys = withKeys ? await copyKeys((await serverConfig(flags)).dataDir, out) : [];
          const received = await receive(await requestBackup(flags), out);
          return { ...received, files: [...received.files, ...keys] };
        });
        process.stdout.write(`${out}: ${summaryOf(manifest)}\n`);
      }),
    );
}

async function requestBackup(flags: AdminFlags): Promise<AsyncIterable<Uint8Array>> {
  const { body } = await callAdmin(flags, "backup", { method: "POST" });
  if (body === null) throw new CommandFailure(`${flags.admin} sent an empty backup`);
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
