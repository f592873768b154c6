import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { syncDirectory } from "../control/file/directories.js";
import { expectEmptyDirectory } from "./empty-directory.js";
import { beginManifest, type Manifest, writeManifest } from "./manifest.js";

/**
 * Fills an empty directory with a backup. The manifest is written last; if the files cannot be written, the
 * directory is empty again.
 *
 * @param writeFiles writes the files, and resolves with their manifest when they are on disk.
 * @throws BackupError if the directory is not empty, or the error of `writeFiles`.
 */
export async function writeBackup(directory: string, writeFiles: () => Promise<Manifest>): Promise<Manifest> {
  await expectEmptyDirectory(directory);
  await beginManifest(directory);
  try {
    const manifest = await writeFiles();
    await syncDirectory(directory);
    await writeManifest(directory, manifest);
    return manifest;
  } catch (error) {
    for (const name of await readdir(directory)) await rm(join(directory, name), { recursive: true });
    throw error;
  }
}
