import { createReadStream } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import type { Manifest } from "../../backup/backup-directory.js";
import { writeBackup } from "../../backup/backup-directory.js";
import { bytesOf, digestOf } from "../../backup/file-digests.js";
import { receiveBackup } from "../../backup/receive-backup.js";
import { EmbeddedRecords } from "../../control/embedded/embedded-records.js";
import { RECORDS_FILE } from "../../control/embedded/records-file.js";
import { readKeys } from "../../control/keys.js";
import { type Json, RECORD_KINDS } from "../../control/records.js";
import { systemClock } from "../../model/clock.js";
import { CommandFailure, failClearly } from "../support/command-failure.js";
import { MEGABYTES, ProgressBar } from "../support/progress-bar.js";
import { serverConfig } from "../support/with-control.js";
import { type AdminFlags, addAdminFlags, callAdmin } from "./admin-listener.js";

const EXAMPLE = `
Examples:
  $ waybill backup --out /backups/2026-11-22
  $ waybill backup --admin http://127.0.0.1:9090 --out /backups/2026-11-22 --with-keys --data-dir /var/lib/waybill`;

interface BackupFlags extends AdminFlags {
  readonly out: string;
  readonly withKeys?: true;
}

/** `waybill backup`: writes a backup of a running server. */
export function backupCommand(): Command {
  return addAdminFlags(new Command("backup"))
    .description("Write a consistent backup of a running server")
    .requiredOption("--out <dir>", "output directory; must be new or empty")
    .option("--with-keys", "also copy the data directory's keys")
    .addHelpText("after", EXAMPLE)
    .action(
      failClearly(async ({ out, withKeys, ...flags }: BackupFlags) => {
        const manifest = await writeBackup(out, async () => {
          const keys = withKeys ? await keysIn((await serverConfig(flags)).dataDir) : undefined;
          const manifest = await receive(await requestBackup(flags), out);
          return keys === undefined ? manifest : addKeys(keys, out, manifest);
        });
        process.stdout.write(`${out}: ${summaryOf(manifest)}\n`);
      }),
    );
}

async function keysIn(dataDir: string): Promise<ReadonlyMap<string, Json>> {
  const records = await EmbeddedRecords.openExisting(dataDir, systemClock);
  const keys = records === undefined ? new Map<string, Json>() : await readKeys(records);
  await records?.close();
  if (keys.size > 0) return keys;
  throw new CommandFailure(`--data-dir: there are no keys in ${dataDir}`);
}

/** Adds key records to a backup. The server never sends keys, so the command reads them from the data directory. */
async function addKeys(keys: ReadonlyMap<string, Json>, out: string, manifest: Manifest): Promise<Manifest> {
  const copy = await EmbeddedRecords.open(out, systemClock);
  const kind = RECORD_KINDS.key;
  await copy.change([...keys].map(([key, value]) => ({ kind, key, value })));
  await copy.close();
  const digest = await digestOf(createReadStream(join(out, RECORDS_FILE)), () => {});
  const others = manifest.files.filter(({ name }) => name !== RECORDS_FILE);
  return { ...manifest, files: [...others, { name: RECORDS_FILE, ...digest }] };
}

async function requestBackup(flags: AdminFlags): Promise<AsyncIterable<Uint8Array>> {
  const { body } = await callAdmin(flags, "backup", { method: "POST" });
  if (body === null) throw new CommandFailure(`${flags.admin} sent an empty backup`);
  return body;
}

async function receive(response: AsyncIterable<Uint8Array>, out: string): Promise<Manifest> {
  const isTerminal = process.stderr.isTTY;
  let bar: ProgressBar | undefined;
  try {
    return await receiveBackup(response, out, {
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
  return `all data as of ${time} or later; ${files.length} files, ${bytesOf(manifest)} bytes`;
}
