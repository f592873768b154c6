import { statfs } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { StoreUnavailableError } from "../../model/store-error.js";
import { inTransaction, interruptible } from "./connection.js";
import { DATABASE_FILE, DATABASE_NAME } from "./database.js";

/**
 * Writes a copy of the database as of one moment into a directory, without its free space. The copy is read
 * in one transaction, which neither waits for writes nor holds them up.
 *
 * @param connection used for nothing else meanwhile.
 * @param signal ends the copy when it aborts, and leaves an incomplete file.
 * @throws StoreUnavailableError if the disk lacks the room.
 */
export async function writeSnapshot(
  connection: DuckDBConnection,
  directory: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  await expectRoom(connection, directory);
  const file = join(directory, DATABASE_FILE).replaceAll("'", "''");
  await connection.run(`ATTACH '${file}' AS snapshot`);
  try {
    await inTransaction(connection, () =>
      interruptible(connection, signal, () =>
        connection.run(`COPY FROM DATABASE ${DATABASE_NAME} TO snapshot`),
      ),
    );
  } finally {
    // Writes the log of the copy into its file.
    await connection.run("DETACH snapshot");
  }
}

/** A disk that fills up during the copy would fail imports too. */
async function expectRoom(connection: DuckDBConnection, directory: string): Promise<void> {
  const result = await connection.runAndReadAll(
    "SELECT block_size * used_blocks FROM pragma_database_size() WHERE database_name = $name",
    { name: DATABASE_NAME },
  );
  const needed = Number(result.getRows()[0]?.[0]);
  const { bavail, bsize } = await statfs(directory);
  const free = bavail * bsize;
  if (free >= needed) return;
  throw new StoreUnavailableError(
    `a copy of the database takes ${needed} bytes, and the disk of ${directory} has ${free} left`,
  );
}
