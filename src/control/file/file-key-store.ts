import { join } from "node:path";
import type { KeyStore, Secret } from "../key-store.js";
import { keptSecret } from "./secret-file.js";

/** Keys in the folder `keys` of a data directory: a file for each, which only its owner may read. */
export class FileKeyStore implements KeyStore {
  readonly #folder: string;

  /** @param directory the data directory; created if missing. */
  constructor(directory: string) {
    this.#folder = join(directory, "keys");
  }

  async secret(name: string, make: () => string): Promise<Secret> {
    const place = join(this.#folder, name);
    return { text: await keptSecret(place, make), place };
  }
}
