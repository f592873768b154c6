import type { DuckDBConnection } from "@duckdb/node-api";
import { expectCurrent, migrate, readMigrations, type Schema } from "../../sql/migrations.js";
import { inTransaction } from "./transaction.js";

/** Folder of the migrations of this version. */
export const RELEASED_MIGRATIONS = new URL("./migrations/", import.meta.url);

/** Keeps schema versions in the table `schema_migrations`. */
const schemaOf = (connection: DuckDBConnection): Schema => ({
  name: "the database",
  version: async () => {
    const result = await connection.runAndReadAll(
      "SELECT coalesce(max(version), 0)::DOUBLE FROM schema_migrations",
    );
    return Number(result.getRows()[0]?.[0]);
  },
  apply: ({ version, sql }) =>
    inTransaction(connection, async () => {
      await connection.run(sql);
      await connection.run("INSERT INTO schema_migrations VALUES ($1, now())", [version]);
    }),
});

/**
 * Brings a database to the version of this program.
 *
 * @param folder folder of the migrations, with a trailing slash.
 * @throws StoreOpenError if a newer version of the program wrote the database.
 */
export async function migrateDatabase(connection: DuckDBConnection, folder: URL): Promise<void> {
  await connection.run(
    "CREATE TABLE IF NOT EXISTS schema_migrations (version INTEGER NOT NULL, applied_at TIMESTAMPTZ NOT NULL)",
  );
  await migrate(schemaOf(connection), await readMigrations(folder));
}

/** Checks that a database needs no migration. @throws StoreOpenError if another version of the program wrote it. */
export const expectCurrentSchema = async (connection: DuckDBConnection): Promise<void> =>
  expectCurrent(schemaOf(connection), await readMigrations(RELEASED_MIGRATIONS));
