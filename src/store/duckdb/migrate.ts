import { readdir, readFile } from "node:fs/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import { StoreOpenError } from "../../model/store-error.js";
import { inTransaction } from "./transaction.js";

/** Folder of the migrations of this version. */
export const RELEASED_MIGRATIONS = new URL("./migrations/", import.meta.url);

/**
 * Brings the schema to the version of this program: runs the migrations that the database lacks, in the order
 * of their numbers, each in its own transaction together with its record.
 *
 * @param folder folder of the migrations, with a trailing slash.
 * @throws StoreOpenError if a newer version of the program wrote the database.
 */
export async function migrate(connection: DuckDBConnection, folder: URL): Promise<void> {
  await connection.run(
    "CREATE TABLE IF NOT EXISTS schema_migrations (version INTEGER NOT NULL, applied_at TIMESTAMPTZ NOT NULL)",
  );
  const { current, files } = await versionsOf(connection, folder);
  for (const [index, file] of files.entries()) {
    const version = index + 1;
    if (version <= current) continue;
    if (Number.parseInt(file, 10) !== version)
      throw new Error(`migration ${version} is missing: found ${file}`);
    const sql = await readFile(new URL(file, folder), "utf8");
    await inTransaction(connection, async () => {
      await connection.run(sql);
      await connection.run("INSERT INTO schema_migrations VALUES ($1, now())", [version]);
    });
  }
}

/**
 * Checks that the database needs no migration.
 *
 * @throws StoreOpenError if another version of the program wrote it.
 */
export async function expectCurrentSchema(connection: DuckDBConnection, folder: URL): Promise<void> {
  const { current, files } = await versionsOf(connection, folder);
  if (current === files.length) return;
  throw new StoreOpenError(
    `the database has schema version ${current}, which is older than ${files.length}: start the server once, which updates it`,
  );
}

/** The version of the database's schema, and the files of all migrations in their order. */
async function versionsOf(
  connection: DuckDBConnection,
  folder: URL,
): Promise<{ readonly current: number; readonly files: readonly string[] }> {
  const result = await connection.runAndReadAll("SELECT coalesce(max(version), 0) FROM schema_migrations");
  const current = Number(result.getRows()[0]?.[0]);
  const files = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  if (current <= files.length) return { current, files };
  throw new StoreOpenError(
    `the database has schema version ${current}, and this version of waybill knows only ${files.length}: ` +
      "it was written by a newer version; run that one",
  );
}
