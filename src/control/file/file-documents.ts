import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { SerialQueue } from "../../limits/serial-queue.js";
import { StoreUnavailableError } from "../../model/store-error.js";
import type { DocumentStore } from "../document-store.js";
import { makeDirectory } from "./make-directory.js";
import { replaceFile } from "./replace-file.js";

/**
 * Documents in the folder `documents` of a data directory, a file for each. They are for one process alone: others are
 * kept away by a lock on the data directory.
 */
export class FileDocuments implements DocumentStore {
  readonly #folder: string;
  readonly #replacements = new SerialQueue();

  /** @param directory the data directory; created if missing. */
  constructor(directory: string) {
    this.#folder = join(directory, "documents");
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
    await makeDirectory(this.#folder);
    const path = this.#pathOf(name);
    await replaceFile(path, `${path}.new`, text);
  }

  #pathOf(name: string): string {
    return join(this.#folder, `${name}.json`);
  }
}
