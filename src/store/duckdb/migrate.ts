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
  const result = await connection.runAndReadAll("SELECT coalesce(max(version), 0) FROM schema_migrations");
  const current = Number(result.getRows()[0]?.[0]);
  const files = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  const latest = files.length;
  if (current > latest) {
    throw new StoreOpenError(
      `the database has schema version ${current}, and this version of waybill knows only ${latest}: ` +
        "it was written by a newer version; run that one",
    );
  }
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
