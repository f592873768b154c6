import { readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncDirectory } from "../control/file/sync-directory.js";
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
    const folders = new Set(manifest.files.map(({ name }) => dirname(name)));
    for (const folder of folders.add(".")) await syncDirectory(join(directory, folder));
    await writeManifest(directory, manifest);
    return manifest;
  } catch (error) {
    for (const name of await readdir(directory)) await rm(join(directory, name), { recursive: true });
    throw error;
  }
}
