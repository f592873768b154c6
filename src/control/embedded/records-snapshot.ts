import { open } from "node:fs/promises";
import AsyncDatabase from "libsql/promise";
import { SECRET_KINDS } from "../records.js";
import { BUSY_MS, unavailable } from "./records-file.js";

/**
 * Writes a consistent copy of a records file without secrets, even while processes use the file.
 *
 * @param path path of the new file.
 * @throws StoreUnavailableError if the copy fails.
 */
export async function writeRecordsSnapshot(file: string, path: string): Promise<void> {
  try {
    // Only the owner can read the file, even while it is being written.
    await (await open(path, "wx", 0o600)).close();
    const source = new AsyncDatabase(file, {});
    await source.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    await source.exec(`VACUUM INTO '${path.replaceAll("'", "''")}'`);
    source.close();
    const copy = new AsyncDatabase(path, {});
    const secrets = SECRET_KINDS.map((kind) => `'${kind}'`).join();
    await copy.exec(`PRAGMA secure_delete = ON; DELETE FROM records WHERE kind IN (${secrets}); VACUUM`);
    copy.close();
  } catch (cause) {
    throw unavailable("copying the control data", file, cause);
  }
}
