import { createReadStream } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { writeDigested } from "../../backup/digested-copy.js";
import type { BackupFile } from "../../backup/manifest.js";
import { CommandFailure } from "./command-failure.js";

/** Folder of the keys in a data directory, and in a backup. */
const KEYS = "keys";

/**
 * Copies the keys of a data directory into a backup.
 *
 * @throws CommandFailure if there are none.
 */
export async function copyKeys(dataDir: string, backup: string): Promise<BackupFile[]> {
  const folder = join(dataDir, KEYS);
  const names = await readdir(folder).catch((cause: unknown) => {
    throw new CommandFailure(`--data-dir: there are no keys in ${dataDir}`, { cause });
  });
  await mkdir(join(backup, KEYS), { mode: 0o700 });
  const files: BackupFile[] = [];
  for (const key of names.filter((name) => /\.(?:jwk|key)$/.test(name)).sort()) {
    const name = `${KEYS}/${key}`;
    const digest = await writeDigested(join(backup, name), createReadStream(join(folder, key)), () => {});
    files.push({ name, ...digest });
  }
  return files;
}
