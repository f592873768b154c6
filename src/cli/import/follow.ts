import { constants, existsSync } from "node:fs";
import { access, mkdir, readdir, rename, stat, writeFile } from "node:fs/promises";
import { join, parse } from "node:path";
import { backoffMs, pause } from "@waybill/client/support";
import { hasCode } from "../../model/system-error.js";
import { CommandFailure, problemOf } from "../support/command-failure.js";
import { stopSignal } from "../support/stop-signal.js";
import { ContentFailure, type FileImport, type Imported, importFile } from "./import-file.js";
import { type FileVersion, ImportLedger, isSame } from "./import-ledger.js";

/** Pause between two scans of the directory. A file counts as complete if it has not changed between two scans. */
const SCAN_PAUSE_MS = 1_000;
/** Pauses after failures that a retry may fix. */
const BACKOFF = { firstMs: 1_000, maxMs: 60_000 };
/** Names of files that another program is still writing, by convention, and of the ledger. */
const UNFINISHED = /^\.|\.(?:tmp|part|partial)$|~$/;

/** How to import the files in a directory. */
export interface FollowedDirectory {
  readonly directory: string;
  readonly imports: FileImport;
  /** Identifies the import's target, and all that affects the conversion. */
  readonly settings: string;
  /** Called after each file. */
  onImported(file: string, imported: Imported): void;
}

/** A followed directory, while the command runs. */
interface Following extends Omit<FollowedDirectory, "settings"> {
  readonly ledger: ImportLedger;
  readonly signal: AbortSignal;
}

/**
 * Imports the files in a directory as they appear, sorted by name, until SIGINT or SIGTERM. Moves imported files to the
 * folder `imported`. Moves files with invalid content to `rejected`, and writes the reason to a file next to them.
 * Skips files that cannot be read, until they can. Other failures are retried indefinitely. After a restart, a file
 * continues after its last acknowledged request. Events that are sent again count only once.
 *
 * @throws CommandFailure if the directory does not exist.
 */
export async function followDirectory({ settings, ...followed }: FollowedDirectory): Promise<void> {
  const { directory } = followed;
  if (!existsSync(directory)) throw new CommandFailure(`${directory} does not exist`);
  const signal = stopSignal();
  const following = { ...followed, ledger: new ImportLedger(directory, settings), signal };
  try {
    let before: readonly FileVersion[] = [];
    let reported: readonly string[] = [];
    for (;;) {
      const files = await filesIn(directory);
      const problems: string[] = [];
      for (const file of files.filter((file) => before.some((other) => isSame(file, other)))) {
        const problem = await importOne(file, following);
        if (problem === undefined) continue;
        problems.push(problem);
        if (!reported.includes(problem)) process.stderr.write(`${problem}; continuing with other files\n`);
      }
      before = files;
      reported = problems;
      await pause(SCAN_PAUSE_MS, signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function filesIn(directory: string): Promise<readonly FileVersion[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && !UNFINISHED.test(entry.name));
  const versions = await Promise.all(names.map(({ name }) => versionOf(directory, name)));
  const found = versions.filter((version) => version !== undefined);
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns undefined if the file does not exist, because another process may have moved it. */
async function versionOf(directory: string, name: string): Promise<FileVersion | undefined> {
  try {
    const { size, mtimeMs } = await stat(join(directory, name));
    return { name, size, modified: mtimeMs };
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Imports a file, retries after failures, and moves it. Returns the reason if the file cannot be read. */
async function importOne(version: FileVersion, following: Following): Promise<string | undefined> {
  const { directory, ledger, signal } = following;
  const file = join(directory, version.name);
  for (let failures = 0; ; ) {
    try {
      await access(file, constants.R_OK);
    } catch (error) {
      return hasCode(error, "ENOENT") ? undefined : (problemOf(error) ?? String(error));
    }
    try {
      await importAndMove(file, version, following, () => {
        failures = 0;
      });
      await ledger.clear();
      return undefined;
    } catch (error) {
      signal.throwIfAborted();
      const current = await versionOf(directory, version.name);
      if (current === undefined || !isSame(current, version)) return undefined;
      const problem = problemOf(error);
      if (problem === undefined) throw error;
      const waitMs = backoffMs(++failures, BACKOFF);
      process.stderr.write(`${problem}; retrying in ${(waitMs / 1_000).toFixed(1)} s\n`);
      await pause(waitMs, signal);
    }
  }
}

/** Imports a file once, and moves it unless it has changed. @param onProgress called after each acknowledged request. */
async function importAndMove(
  file: string,
  version: FileVersion,
  { directory, imports, ledger, onImported, signal }: Following,
  onProgress: () => void,
): Promise<void> {
  const hasChanged = async (): Promise<boolean> => {
    const current = await versionOf(directory, version.name);
    return current !== undefined && !isSame(current, version);
  };
  const bytes = ledger.bytesOf(version);
  if (bytes > 0) process.stderr.write(`${file}: continuing after ${bytes} bytes of events\n`);
  const onBytes = (imported: number): void => {
    ledger.note(version, imported);
    onProgress();
  };
  try {
    const imported = await importFile(file, imports, { bytes, signal, onBytes });
    if (await hasChanged()) {
      process.stderr.write(`${file}: changed during the import, and is imported again\n`);
      return;
    }
    onImported(file, imported);
  } catch (error) {
    if (!(error instanceof ContentFailure) || (await hasChanged())) throw error;
    process.stderr.write(`${error.message}\n`);
    return moveTo(join(directory, "rejected"), file, error.message);
  }
  await moveTo(join(directory, "imported"), file);
}

/**
 * Moves a file to a folder, under another name if the folder has a file of this name.
 *
 * @param reason content of a file next to it.
 */
async function moveTo(folder: string, file: string, reason?: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { base, name, ext } = parse(file);
  let target = join(folder, base);
  for (let copy = 2; existsSync(target); copy++) target = join(folder, `${name}.${copy}${ext}`);
  // Before the move, so that a file in the folder has its reason even after kill -9.
  if (reason !== undefined) await writeReason(`${target}.error.txt`, reason);
  await rename(file, target);
}

/** A file with the longest possible name has no reason next to it, only in the log. */
async function writeReason(path: string, reason: string): Promise<void> {
  try {
    await writeFile(path, `${reason}\n`);
  } catch (error) {
    if (!hasCode(error, "ENAMETOOLONG")) throw error;
  }
}
