import { randomUUID } from "node:crypto";
import { link, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { systemReason } from "../../model/system-error.js";
import { KeyError } from "../keys.js";
import { makeDirectory, syncDirectory } from "./directories.js";

/** Errors of a file system without hard links, such as exFAT and many network file systems. */
const NO_LINKS = ["EPERM", "ENOTSUP", "ENOSYS"];

/**
 * Returns the secret in a file that only its owner can read. If the file does not exist, creates it with a new
 * secret.
 *
 * @throws KeyError if the file can be neither read nor created.
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
    if (hasCode(error, ["ENOENT"])) return undefined;
    throw new KeyError(`cannot read the key file ${path}: ${systemReason(error) ?? String(error)}`, {
      cause: error,
    });
  }
  if (text === "") throw new KeyError(`the key file ${path} is empty: remove it, or restore its content`);
  return text;
}

/** @returns the file content, which may be the secret of another process. */
async function makeAndRead(path: string, make: () => string): Promise<string> {
  try {
    await makeDirectory(dirname(path));
    await createSecretFile(path, `${make()}\n`);
  } catch (error) {
    if (!hasCode(error, ["EEXIST"])) {
      throw new KeyError(`cannot make the key file ${path}: ${systemReason(error) ?? String(error)}`, {
        cause: error,
      });
    }
  }
  const text = await readIfThere(path);
  if (text === undefined) throw new KeyError(`the key file ${path} was removed while it was made`);
  return text;
}

/**
 * Creates a file that only its owner can read. It appears with its whole content if the file system supports hard
 * links. It is on disk when this resolves.
 *
 * @param makeLink creates a hard link. Tests replace it to simulate other file systems.
 * @throws a system error, with the code `EEXIST` if the file exists.
 */
export async function createSecretFile(path: string, text: string, makeLink = link): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeSynced(draft, "wx", text);
    // Unlike a rename, a link never replaces an existing file.
    await makeLink(draft, path).catch((error: unknown) => {
      if (!hasCode(error, NO_LINKS)) throw error;
      return writeSynced(path, "wx", text);
    });
  } finally {
    await rm(draft, { force: true });
  }
  await syncDirectory(dirname(path));
}

/**
 * Replaces a file atomically. The new text is on disk when this resolves. Only the owner can read it.
 *
 * @param draft temporary path of the new file, in the same directory.
 */
export async function replaceFile(path: string, draft: string, text: string): Promise<void> {
  await writeSynced(draft, "w", text);
  await rename(draft, path);
  await syncDirectory(dirname(path));
}

/** Writes a file that only its owner can read. It is on disk when this resolves. */
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

const hasCode = (error: unknown, codes: readonly string[]): boolean =>
  error instanceof Error && codes.includes((error as NodeJS.ErrnoException).code ?? "");
