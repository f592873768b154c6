import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { SerialQueue } from "../../limits/serial-queue.js";
import { StoreUnavailableError } from "../../model/store-error.js";
import type { DocumentStore } from "../document-store.js";
import { makeDirectory } from "./make-directory.js";
import { replaceFile } from "./secret-file.js";

const DOCUMENTS = "documents";
const SUFFIX = ".json";

/** The path of a document in a data directory, and in a backup. */
export const documentFile = (name: string): string => `${DOCUMENTS}/${name}${SUFFIX}`;

/**
 * Documents in the folder `documents` of a data directory, a file for each. They are for one process alone: others are
 * kept away by a lock on the data directory.
 */
export class FileDocuments implements DocumentStore {
  readonly #directory: string;
  readonly #replacements = new SerialQueue();

  /** @param directory the data directory; created if missing. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  async read(name: string): Promise<string | undefined> {
    try {
      return await readFile(this.#pathOf(name), "utf8");
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw new StoreUnavailableError(`the document ${name} cannot be read: ${String(cause)}`, { cause });
    }
  }

  replace(name: string, before: string | undefined, after: string): Promise<boolean> {
    return this.#replacements.run(async () => {
      if ((await this.read(name)) !== before) return false;
      try {
        await this.#write(name, after);
      } catch (cause) {
        throw new StoreUnavailableError(`the document ${name} cannot be written: ${String(cause)}`, {
          cause,
        });
      }
      return true;
    });
  }

  async #write(name: string, text: string): Promise<void> {
    const path = this.#pathOf(name);
    await makeDirectory(dirname(path));
    await replaceFile(path, `${path}.new`, text);
  }

  #pathOf(name: string): string {
    return join(this.#directory, documentFile(name));
  }
}

/**
 * Reads the texts of the documents of a data directory or a backup, by their names.
 *
 * @throws an error of the system.
 */
export async function readDocuments(directory: string): Promise<ReadonlyMap<string, string>> {
  const folder = join(directory, DOCUMENTS);
  const files = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const documents = new Map<string, string>();
  for (const file of files.sort()) {
    if (!file.endsWith(SUFFIX)) continue;
    documents.set(file.slice(0, -SUFFIX.length), await readFile(join(folder, file), "utf8"));
  }
  return documents;
}
