import { readdir } from "node:fs/promises";
import { makeDirectory } from "../control/file/directories.js";
import { BackupError } from "./backup-error.js";

/**
 * Creates a directory, or accepts one without files.
 *
 * @throws BackupError if there are files in it.
 */
export async function expectEmptyDirectory(path: string): Promise<void> {
  await makeDirectory(path);
  const [name] = await readdir(path);
  if (name !== undefined)
    throw new BackupError(`${path} is not empty: it has ${name}; give an empty directory`);
}
