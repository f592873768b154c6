import { statfs } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { StoreUnavailableError } from "../../model/store-error.js";
import { inTransaction, interruptible } from "./connection.js";
import { DATABASE_FILE, DATABASE_NAME } from "./database.js";

/**
 * Copies the database at one moment into a directory, without free space. The copy is made in one transaction, which
 * neither waits for writes nor blocks them.
 *
 * @param connection a connection that nothing else uses.
 * @param signal cancels the copy, and leaves an incomplete file.
 * @throws StoreUnavailableError if the disk has too little space.
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
    // Makes the engine write the copy's log into the copy's file.
    await connection.run("DETACH snapshot");
  }
}

/** Checks that the disk has enough space. If a copy filled the disk, imports would fail, too. */
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
    `a copy of the database needs ${needed} bytes, but the disk of ${directory} has only ${free} left`,
  );
}
