import { randomUUID } from "node:crypto";
import { link, open, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { KeyError, type KeyStore, type Secret } from "../key-store.js";
import { makeDirectory } from "./make-directory.js";

/** Keys in the folder `keys` of a data directory: a file for each, which only its owner may read. */
export class FileKeyStore implements KeyStore {
  readonly #folder: string;

  /** @param directory the data directory; created if missing. */
  constructor(directory: string) {
    this.#folder = join(directory, "keys");
  }

  async secret(name: string, make: () => string): Promise<Secret> {
    const place = join(this.#folder, name);
    const text = (await readIfThere(place)) ?? (await makeFile(place, make));
    return { text: text.replace(/\n$/, ""), place };
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined;
    throw new KeyError(`cannot read the key file ${path}: ${String(error)}`, { cause: error });
  }
}

/** @returns what the file holds then: the secret of another process, if that was faster. */
async function makeFile(path: string, make: () => string): Promise<string> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await makeDirectory(dirname(path));
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
    throw new KeyError(`cannot make the key file ${path}: ${String(error)}`, { cause: error });
  } finally {
    await rm(draft, { force: true });
  }
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
