// Where the current ClickHouse in one process is, the npm package chdb: in a cache outside of the repository.
import { homedir } from "node:os";
import { join } from "node:path";

export const CHDB_VERSION = "3.4.0";

/** Folder for packages that only tests need. `npm ci` does not remove them. */
export const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "waybill");

/** Program of a major version of Node.js. */
export const nodeIn = (version) => join(CACHE, `node-${version}`, "node_modules", ".bin", "node");

/** Folder of the installation. */
export const CHDB_CACHE = join(CACHE, `chdb-${CHDB_VERSION}`);

/** Path of the package. */
export const CHDB_PACKAGE = join(CHDB_CACHE, "node_modules", "chdb");
