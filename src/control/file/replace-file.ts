import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { syncDirectory } from "./sync-directory.js";

/**
 * Replaces a file in one step: a kill leaves the old text or the new one. The new text is on disk when this resolves.
 * Only the owner may read it.
 *
 * @param draft path of the new file until then, in the same directory.
 */
export async function replaceFile(path: string, draft: string, text: string): Promise<void> {
  const file = await open(draft, "w", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  await syncDirectory(dirname(path));
}
