import { randomUUID } from "node:crypto";
import { link, mkdir, open, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** A key file cannot be used; the message is one clear line that names it. */
export class KeyFileError extends Error {
  override readonly name = "KeyFileError";
}

/**
 * Reads a secret that its owner alone may read, and makes it on first use. Processes that make it at the same time end
 * up with the same one.
 *
 * @throws KeyFileError when it can be neither read nor made.
 */
export async function readOrMakeSecret(path: string, make: () => string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (!isErrno(error, "ENOENT"))
      throw new KeyFileError(`cannot read the key file ${path}: ${String(error)}`, { cause: error });
  }
  const draft = `${path}.${randomUUID()}`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(`${make()}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    // A link appears whole or not at all, and never replaces the secret of a process that was faster.
    await link(draft, path).catch((error: unknown) => {
      if (!isErrno(error, "EEXIST")) throw error;
    });
    return await readFile(path, "utf8");
  } catch (error) {
    throw new KeyFileError(`cannot make the key file ${path}: ${String(error)}`, { cause: error });
  } finally {
    await rm(draft, { force: true });
  }
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
