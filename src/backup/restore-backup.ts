import { createReadStream } from "node:fs";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { syncDirectory } from "../control/file/directories.js";
import { StoreOpenError } from "../model/store-error.js";
import { writeDigested } from "./digested-copy.js";
import { expectEmptyDirectory } from "./empty-directory.js";
import type { Manifest } from "./manifest.js";
import { expectSame } from "./verify-files.js";

/** Directory in the data directory that exists while a backup is being restored. */
const RESTORING = "restoring";

/**
 * Copies the files of a backup to an empty data directory. Servers refuse the directory until all of them are
 * there.
 *
 * @param from the directory of the backup.
 * @param onBytes called with the number of bytes of each chunk that was copied.
 * @throws BackupError if the data directory is not empty, or a file is not as it was written; the data
 * directory then stays empty.
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

/** @throws StoreOpenError if a restore of the data directory was interrupted. */
export async function expectRestored(dataDir: string): Promise<void> {
  const isRestoring = await stat(join(dataDir, RESTORING)).then(
    () => true,
    () => false,
  );
  if (!isRestoring) return;
  throw new StoreOpenError(
    `the data directory ${dataDir} has half a restored backup; remove its files and restore it again`,
  );
}
