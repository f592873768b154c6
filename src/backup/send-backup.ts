import { createReadStream } from "node:fs";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { RECORDS_FILE } from "../control/embedded/records-file.js";
import { makeDirectory } from "../control/file/directories.js";
import { StoreUnavailableError } from "../model/store-error.js";
import { hasCode } from "../model/system-error.js";
import type { Store } from "../store/store.js";
import type { BackupFile } from "./backup-directory.js";
import { encodeFrame } from "./backup-frames.js";
import { digesting } from "./file-digests.js";

/**
 * Prefix of the names of snapshot directories. Operators are unlikely to use this prefix, so the next start can safely
 * remove the directories that a killed server has left.
 */
const SNAPSHOT_PREFIX = ".snapshot-";
/** Interval between progress reports, in milliseconds. The reports keep the connection open. */
const REPORT_INTERVAL_MS = 1_000;
/** Size of a chunk, in bytes. Hashing a chunk of this size does not delay requests. */
const CHUNK_BYTES = 256 * 1024;

/** A server's data to back up. */
export interface BackupSource {
  readonly dataDir: string;
  readonly store: Pick<Store, "snapshot">;
  /** Writes the control data to a new file. `undefined` if control data is stored elsewhere. */
  readonly snapshotRecords: ((path: string) => Promise<void>) | undefined;
  /** Server version. */
  readonly version: string;
}

/**
 * Sends a snapshot of the store and the control data, as frames (backup-frames.ts). The snapshot is stored in the data
 * directory, and removed at the end or when the receiver disconnects.
 *
 * @param time start time of the backup, as RFC 3339 in UTC.
 * @param signal aborts when the receiver disconnects.
 * @throws errors of the store and system errors.
 */
export async function* sendBackup(
  { dataDir, store, snapshotRecords, version }: BackupSource,
  time: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (store.snapshot === undefined) {
    throw new StoreUnavailableError(
      "this command cannot back up a ClickHouse store: use the tools of ClickHouse and PostgreSQL",
    );
  }
  await makeDirectory(dataDir);
  const folder = await mkdtemp(join(dataDir, SNAPSHOT_PREFIX));
  // The records are copied first. If they were newer than the store, they could mark a webhook message as sent although
  // the restored store has not caused it yet. The webhook would then miss the message.
  const records = snapshotRecords?.(join(folder, RECORDS_FILE)) ?? Promise.resolve();
  const snapshot = records.then(() => store.snapshot?.(folder, signal));
  try {
    yield* reportOn(snapshot, folder);
    const sources = await filesIn(folder);
    yield encodeFrame({ totalBytes: sources.reduce((sum, { bytes }) => sum + bytes, 0) });
    const files: BackupFile[] = [];
    for (const source of sources) files.push(yield* sendFile(source));
    yield encodeFrame({ complete: { format: 1, version, time, files } });
  } finally {
    await snapshot.catch(() => {});
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes snapshots that a killed server has left in its data directory. */
export async function removeLeftSnapshots(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  });
  for (const name of names) {
    if (name.startsWith(SNAPSHOT_PREFIX)) await rm(join(dataDir, name), { recursive: true, force: true });
  }
}

async function* reportOn(snapshot: Promise<void>, folder: string): AsyncGenerator<Uint8Array> {
  let isDone = false;
  const done = snapshot.finally(() => {
    isDone = true;
  });
  for (;;) {
    await Promise.race([done, sleep(REPORT_INTERVAL_MS, undefined, { ref: false })]);
    if (isDone) return;
    yield encodeFrame({ snapshotBytes: await bytesIn(folder) });
  }
}

async function bytesIn(folder: string): Promise<number> {
  const infos = await Promise.all((await readdir(folder)).map((name) => stat(join(folder, name))));
  return infos.reduce((sum, { size }) => sum + size, 0);
}

interface FileSource {
  /** Path in the data directory. */
  readonly name: string;
  readonly bytes: number;
  readonly content: () => AsyncIterable<Uint8Array>;
}

async function filesIn(folder: string): Promise<FileSource[]> {
  const names = (await readdir(folder)).sort();
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const content = () => createReadStream(path, { highWaterMark: CHUNK_BYTES });
      return { name, bytes: (await stat(path)).size, content };
    }),
  );
}

async function* sendFile({ name, bytes, content }: FileSource): AsyncGenerator<Uint8Array, BackupFile> {
  yield encodeFrame({ file: name, bytes });
  return { name, ...(yield* digesting(content())) };
}
