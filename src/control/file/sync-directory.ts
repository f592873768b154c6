import { open } from "node:fs/promises";

/** Writes the entries of a directory to disk: without this, a new file could be missing after a power failure. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
