import { open } from "node:fs/promises";
import AsyncDatabase from "libsql/promise";
import { SECRET_KINDS } from "../records.js";
import { BUSY_MS, unavailable } from "./records-file.js";

/**
 * Writes a consistent copy of a records file without secrets, even while processes use the file.
 *
 * @throws StoreUnavailableError if the copy fails.
 */
export async function writeRecordsSnapshot(file: string, path: string): Promise<void> {
  try {
    // Only the owner can read the file, even while it is being written.
    await (await open(path, "wx", 0o600)).close();
    await inDatabase(file, async (source) => {
      await source.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
      await source.exec(`VACUUM INTO '${path.replaceAll("'", "''")}'`);
    });
    const secrets = SECRET_KINDS.map((kind) => `'${kind}'`).join();
    // Without VACUUM, the file would still contain the deleted records.
    await inDatabase(path, (copy) => copy.exec(`DELETE FROM records WHERE kind IN (${secrets}); VACUUM`));
  } catch (cause) {
    throw unavailable("copying the control data", file, cause);
  }
}

/** Closes the database even after a failure, so that the disk space of a removed file is free again. */
async function inDatabase(path: string, work: (database: AsyncDatabase) => Promise<void>): Promise<void> {
  const database = new AsyncDatabase(path, {});
  try {
    await work(database);
  } finally {
    database.close();
  }
}
