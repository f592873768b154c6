import { createReadStream } from "node:fs";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeDigested } from "../../backup/digested-copy.js";
import type { BackupFile } from "../../backup/manifest.js";
import type { Control } from "../../control/control.js";
import { openControl } from "../../control/engines.js";
import { systemClock } from "../../model/clock.js";
import type { Config } from "../../server/config/config-schema.js";
import { CommandFailure } from "./command-failure.js";

/**
 * Does work with what the servers of a configuration agree on.
 *
 * @throws StoreOpenError if it cannot be opened.
 */
export async function withControl<T>(config: Config, work: (control: Control) => Promise<T>): Promise<T> {
  const control = await openControl(config.control, { directory: config.dataDir, clock: systemClock });
  try {
    return await work(control);
  } finally {
    await control.close();
  }
}

/** Folder of the keys in a data directory, and in a backup. */
const KEYS = "keys";

/**
 * Copies the keys of a data directory into a backup.
 *
 * @throws CommandFailure if there are none.
 */
export async function copyKeys(dataDir: string, backup: string): Promise<BackupFile[]> {
  const keys = await keyFiles(dataDir, "--data-dir");
  await mkdir(join(backup, KEYS), { mode: 0o700 });
  const files: BackupFile[] = [];
  for (const key of keys) {
    const name = `${KEYS}/${key}`;
    const path = join(dataDir, name);
    const digest = await writeDigested(join(backup, name), createReadStream(path), () => {});
    files.push({ name, ...digest });
  }
  return files;
}

/**
 * Reads the texts of the keys of a data directory, by their names.
 *
 * @param flag the flag with the data directory.
 * @throws CommandFailure if there are none.
 */
export async function readKeys(dataDir: string, flag: string): Promise<ReadonlyMap<string, string>> {
  const keys = new Map<string, string>();
  for (const key of await keyFiles(dataDir, flag)) {
    keys.set(key, (await readFile(join(dataDir, KEYS, key), "utf8")).replace(/\n$/, ""));
  }
  return keys;
}

async function keyFiles(dataDir: string, flag: string): Promise<readonly string[]> {
  const names = await readdir(join(dataDir, KEYS)).catch((cause: unknown) => {
    throw new CommandFailure(`${flag}: there are no keys in ${dataDir}`, { cause });
  });
  return names.filter((name) => /\.(?:jwk|key)$/.test(name)).sort();
}
