import { Command } from "commander";
import type { Manifest } from "../backup/manifest.js";
import { receiveBackup } from "../backup/receive-backup.js";
import { bytesOf } from "../backup/verify-files.js";
import { writeBackup } from "../backup/write-backup.js";
import { serviceUrl } from "../client/service-url.js";
import { CommandFailure } from "./support/command-failure.js";
import { copyKeys } from "./support/copy-keys.js";
import { failClearly } from "./support/fail-clearly.js";
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
    .option("--admin <url>", "address of the server's operators' listener", "http://127.0.0.1:9090")
    .requiredOption("--out <dir>", "where to write the backup; a new or empty directory")
    .option("--with-keys", "copy the keys of the data directory too")
    .option("--data-dir <dir>", "data directory of the server, for --with-keys", "./data")
    .addHelpText("after", EXAMPLE)
    .action(
      failClearly(async ({ admin, out, withKeys, dataDir }: BackupFlags) => {
        const url = backupUrl(admin);
        const manifest = await writeBackup(out, async () => {
          const keys = withKeys ? await copyKeys(dataDir, out) : [];
          const received = await receive(await requestBackup(url), out);
          return { ...received, files: [...received.files, ...keys] };
        });
        process.stdout.write(`${out}: ${summaryOf(manifest)}\n`);
      }),
    );
}

function backupUrl(admin: string): URL {
  try {
    return new URL("backup", `${serviceUrl(admin, "--admin").href.replace(/\/$/, "")}/`);
  } catch (error) {
    throw new CommandFailure((error as TypeError).message, { cause: error });
  }
}

async function requestBackup(url: URL): Promise<AsyncIterable<Uint8Array>> {
  const response = await fetch(url, { method: "POST" }).catch((cause: Error) => {
    const reason = cause.cause instanceof Error ? cause.cause.message : cause.message;
    throw new CommandFailure(`${url.origin} cannot be reached: ${reason}`, { cause });
  });
  if (response.ok && response.body !== null) return response.body;
  const text = await response.text();
  throw new CommandFailure(`${url.origin} refused: ${messageIn(text) ?? `status ${response.status}`}`);
}

function messageIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { error?: { message?: string } }).error?.message;
  } catch {
    return undefined;
  }
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
