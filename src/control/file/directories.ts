import { mkdir, open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { hasCode } from "../../model/system-error.js";

/**
 * Creates a directory and its parents, by default so that only the current user can use them. Does not change an existing
 * directory. The recursive `mkdir` of Node.js is not used: it loops forever if the system returns ENOENT below an
 * existing directory, as in `/proc`.
 *
 * @throws a system error.
 */
export async function makeDirectory(path: string, mode = 0o700): Promise<void> {
  if (await isDirectory(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeDirectory(parent, mode);
  await mkdir(path, { mode }).catch(async (error: unknown) => {
    // Another process may have created the directory.
    if (!(await isDirectory(path))) throw error;
  });
}

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** Returns true if a file or directory exists. @throws a system error other than `ENOENT`. */
export const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: unknown) => {
      if (hasCode(error, "ENOENT")) return false;
      throw error;
    },
  );

/** Flushes a directory to disk. Without this, a new file could be missing after a power failure. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
