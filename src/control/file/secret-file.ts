import { randomUUID } from "node:crypto";
import { link, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { hasCode, systemReason } from "../../model/system-error.js";
import { KeyError } from "../keys.js";
import { makeDirectory, syncDirectory } from "./directories.js";

/** Error codes of file systems without hard links, such as exFAT and many network file systems. */
const NO_LINKS = ["EPERM", "ENOTSUP", "ENOSYS"];

/**
 * Returns the secret in a file that only its owner can read. If the file does not exist, creates it with a new secret.
 *
 * @throws KeyError if the file can neither be read nor created.
 */
export async function keptSecret(path: string, make: () => string): Promise<string> {
  const text = (await readIfThere(path)) ?? (await makeAndRead(path, make));
  return text.replace(/\n$/, "");
}

async function readIfThere(path: string): Promise<string | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw new KeyError(`cannot read the key file ${path}: ${systemReason(error) ?? String(error)}`, {
      cause: error,
    });
  }
  if (text === "") throw new KeyError(`the key file ${path} is empty: remove it, or restore its content`);
  return text;
}

/** Creates a file with a secret, and reads it. @returns the file's content, which may be another process's secret. */
async function makeAndRead(path: string, make: () => string): Promise<string> {
  try {
    await makeDirectory(dirname(path));
    await createSecretFile(path, `${make()}\n`);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) {
      throw new KeyError(`cannot create the key file ${path}: ${systemReason(error) ?? String(error)}`, {
        cause: error,
      });
    }
  }
  const text = await readIfThere(path);
  if (text === undefined) throw new KeyError(`the key file ${path} was removed while it was being created`);
  return text;
}

/**
 * Creates a file that only its owner can read. If the file system supports hard links, the file appears with its whole
 * content. When this resolves, the file is on disk.
 *
 * @param makeLink creates a hard link. Tests replace this function to simulate other file systems.
 * @throws a system error, with the code `EEXIST` if the file exists.
 */
export async function createSecretFile(path: string, text: string, makeLink = link): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeSynced(draft, "wx", text);
    // A link never replaces an existing file, while a rename would.
    await makeLink(draft, path).catch((error: unknown) => {
      if (!hasCode(error, ...NO_LINKS)) throw error;
      return writeSynced(path, "wx", text);
    });
  } finally {
    await rm(draft, { force: true });
  }
  await syncDirectory(dirname(path));
}

/**
 * Replaces a file atomically. When this resolves, the new content is on disk. Only the owner can read the file.
 *
 * @param draft temporary path for the new file, in the same directory.
 */
export async function replaceFile(path: string, draft: string, text: string): Promise<void> {
  await writeSynced(draft, "w", text);
  await rename(draft, path);
  await syncDirectory(dirname(path));
}

/** Writes a file that only its owner can read. When this resolves, the file is on disk. */
async function writeSynced(path: string, flags: "w" | "wx", text: string): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    await rm(path, { force: true }).catch(() => {});
    throw error;
  } finally {
    await file.close();
  }
}
