import { mkdir, open, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a directory, with those above it, for the own user only; an existing one stays as it is. Node's recursive
 * `mkdir` never ends where the system answers ENOENT below a directory that exists, as in `/proc`.
 *
 * @throws an error of the system.
 */
export async function makeDirectory(path: string): Promise<void> {
  if (await isDirectory(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeDirectory(parent);
  await mkdir(path, { mode: 0o700 }).catch(async (error: unknown) => {
    // Another process may have been faster.
    if (!(await isDirectory(path))) throw error;
  });
}

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** Writes the entries of a directory to disk: without this, a new file could be missing after a power failure. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
