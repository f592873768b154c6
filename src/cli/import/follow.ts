import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join, parse } from "node:path";
import { backoffMs, pause } from "@waybill/client/support";
import { hasCode } from "../../model/system-error.js";
import { CommandFailure, problemOf } from "../support/command-failure.js";
import { stopSignal } from "../support/stop-signal.js";
import { ContentFailure, type FileImport, type Imported, importFile } from "./import-file.js";

/** Pause between two scans of the directory. A file counts as complete if it has not changed between two scans. */
const SCAN_PAUSE_MS = 1_000;
/** Pauses after failures that a retry may fix. */
const BACKOFF = { firstMs: 1_000, maxMs: 60_000 };
/** Names of files that another program is still writing, by convention, and of the ledger. */
const UNFINISHED = /^\.|\.(?:tmp|part|partial)$|~$/;
const LEDGER = ".waybill-import.json";

/** Identifies a version of a file. It changes when the file changes. */
interface FileVersion {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Time of the last change, in milliseconds since 1970. */
  readonly modified: number;
}

/** Progress of one file. The ledger in the directory keeps it while this command does not run. */
interface LedgerEntry extends FileVersion {
  /** Imported bytes of NDJSON events. */
  readonly bytes: number;
}

/**
 * Imports the files in a directory as they appear, sorted by name, until SIGINT or SIGTERM. Moves imported files to the
 * folder `imported`. Moves files with invalid content to `rejected`, and writes the reason to a file next to them.
 * Other failures are retried indefinitely. After a restart, a file continues after its last acknowledged request.
 * Events that are sent again count only once.
 *
 * @param onImported called after each file.
 * @throws CommandFailure if the directory does not exist.
 */
export async function followDirectory(
  directory: string,
  imports: FileImport,
  onImported: (file: string, imported: Imported) => void,
): Promise<void> {
  if (!existsSync(directory)) throw new CommandFailure(`${directory} does not exist`);
  const signal = stopSignal();
  try {
    for (let before: readonly FileVersion[] = []; ; ) {
      const files = await filesIn(directory);
      for (const file of files.filter((file) => before.some((other) => isSame(file, other))))
        await importOne(directory, file, imports, onImported, signal);
      before = files;
      await pause(SCAN_PAUSE_MS, signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function filesIn(directory: string): Promise<readonly FileVersion[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && !UNFINISHED.test(entry.name));
  const versions = names.map(({ name }) => versionOf(directory, name).catch(ignoreMissing));
  const found = (await Promise.all(versions)).filter((version) => version !== undefined);
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function versionOf(directory: string, name: string): Promise<FileVersion> {
  const { size, mtimeMs } = await stat(join(directory, name));
  return { name, size, modified: mtimeMs };
}

/** Another process may have moved a file. @throws any other error. */
function ignoreMissing(error: unknown): undefined {
  if (!hasCode(error, "ENOENT")) throw error;
}

const isSame = (a: FileVersion, b: FileVersion): boolean =>
  a.name === b.name && a.size === b.size && a.modified === b.modified;

/** Imports a file, retries after failures, and moves it. */
async function importOne(
  directory: string,
  version: FileVersion,
  imports: FileImport,
  onImported: (file: string, imported: Imported) => void,
  signal: AbortSignal,
): Promise<void> {
  const file = join(directory, version.name);
  const ledger = join(directory, LEDGER);
  const hasChanged = async (): Promise<boolean> => {
    const current = await versionOf(directory, version.name).catch(ignoreMissing);
    return current !== undefined && !isSame(current, version);
  };
  for (let failures = 0; ; ) {
    try {
      const bytes = importedBytes(ledger, version);
      if (bytes > 0) process.stderr.write(`${file}: continuing after ${bytes} bytes of events\n`);
      const imported = await importFile(file, imports, {
        bytes,
        signal,
        onBytes: (bytes) => {
          failures = 0;
          const entry: LedgerEntry = { ...version, bytes };
          writeFileSync(`${ledger}.tmp`, JSON.stringify(entry));
          renameSync(`${ledger}.tmp`, ledger);
        },
      });
      if (await hasChanged()) {
        process.stderr.write(`${file}: changed during the import, and is imported again\n`);
        break;
      }
      onImported(file, imported);
      await moveTo(join(directory, "imported"), file);
      break;
    } catch (error) {
      signal.throwIfAborted();
      if (hasCode(error, "ENOENT") || (await hasChanged())) break;
      const problem = problemOf(error);
      if (problem === undefined) throw error;
      if (error instanceof ContentFailure) {
        process.stderr.write(`${problem}\n`);
        const moved = await moveTo(join(directory, "rejected"), file);
        await writeFile(`${moved}.error.txt`, `${problem}\n`);
        break;
      }
      const waitMs = backoffMs(++failures, BACKOFF);
      process.stderr.write(`${problem}; retrying in ${(waitMs / 1_000).toFixed(1)} s\n`);
      await pause(waitMs, signal);
    }
  }
  await rm(ledger, { force: true });
}

/**
 * Returns how many bytes of a file's events are imported, if the file has not changed since. Returns 0 if the ledger is
 * missing or damaged, because events may be sent again.
 */
function importedBytes(ledger: string, version: FileVersion): number {
  try {
    const { bytes, ...imported } = JSON.parse(readFileSync(ledger, "utf8")) as LedgerEntry;
    return isSame(imported, version) ? bytes : 0;
  } catch (error) {
    if (error instanceof SyntaxError || hasCode(error, "ENOENT")) return 0;
    throw error;
  }
}

/** Moves a file to a folder, under another name if the folder has a file of this name. Returns its new path. */
async function moveTo(folder: string, file: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const { base, name, ext } = parse(file);
  let target = join(folder, base);
  for (let copy = 2; existsSync(target); copy++) target = join(folder, `${name}.${copy}${ext}`);
  await rename(file, target);
  return target;
}
