import { randomUUID } from "node:crypto";
import { link, mkdir, open, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** A key file is unusable. The message is one line that names the file. */
export class KeyFileError extends Error {
  override readonly name = "KeyFileError";
}

/**
 * Reads a secret that only its owner may read, and creates it on first use. Processes that create it
 * concurrently all get the same secret.
 *
 * @throws KeyFileError if the secret can be neither read nor created.
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
    // A link appears atomically and never replaces the secret of a faster process.
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
