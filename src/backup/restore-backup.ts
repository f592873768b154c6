import { createReadStream } from "node:fs";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { syncDirectory } from "../control/file/directories.js";
import { StoreOpenError } from "../model/store-error.js";
import { expectEmptyDirectory, type Manifest } from "./backup-directory.js";
import { expectSame, writeDigested } from "./file-digests.js";

/** Subdirectory of the data directory that exists only during a restore. */
const RESTORING = "restoring";

/**
 * Copies a backup's files to an empty data directory. Servers do not start in this directory until all files are
 * copied.
 *
 * @param from backup directory.
 * @param onBytes called for each copied chunk, with its number of bytes.
 * @throws BackupError if the data directory is not empty, or a file has changed. The data directory is then still
 * empty.
 */
export async function restoreBackup(
  from: string,
  { files }: Manifest,
  dataDir: string,
  onBytes: (bytes: number) => void,
): Promise<void> {
  await expectEmptyDirectory(dataDir);
  const draft = join(dataDir, RESTORING);
  await mkdir(draft, { mode: 0o700 });
  await syncDirectory(dataDir);
  try {
    for (const file of files) {
      const path = join(from, file.name);
      const written = await writeDigested(join(draft, file.name), createReadStream(path), onBytes);
      expectSame(path, file, written);
    }
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
  for (const { name } of files) await rename(join(draft, name), join(dataDir, name));
  await syncDirectory(dataDir);
  await rm(draft, { recursive: true });
  await syncDirectory(dataDir);
}

/** Checks that no restore to the data directory was interrupted. @throws StoreOpenError if one was. */
export async function expectRestored(dataDir: string): Promise<void> {
  const isRestoring = await stat(join(dataDir, RESTORING)).then(
    () => true,
    () => false,
  );
  if (!isRestoring) return;
  throw new StoreOpenError(
    `the data directory ${dataDir} contains an incomplete restore: remove its files and restore the backup again`,
  );
}
