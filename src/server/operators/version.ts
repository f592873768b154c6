import { readFileSync } from "node:fs";

const manifest = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as {
  version: string;
};

/**
 * Creates the page tokens that all services share.
 *
 * @throws KeyError if the config has no key, and the stored key is damaged.
 * @throws StoreUnavailableError if the records cannot be read or written.
 */
export const VERSION: string = manifest.version;
