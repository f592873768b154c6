import type { DuckDBConnection } from "@duckdb/node-api";
import {
  expectCurrent,
  migrate,
  planMigrations,
  readMigrations,
  type Schema,
  type UpgradePlan,
} from "../../sql/migrations.js";
import { inTransaction } from "./connection.js";

/** Migrations of this version. */
export const RELEASED_MIGRATIONS = new URL("./migrations/", import.meta.url);

/** Returns the schema. Its versions are rows of `schema_migrations`. */
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
 * Migrates a database to this version.
 *
 * @param folder migration folder, with a trailing slash.
 * @throws StoreOpenError if a newer Waybill version wrote the database.
 */
export async function migrateDatabase(connection: DuckDBConnection, folder: URL): Promise<void> {
  await connection.run(
    "CREATE TABLE IF NOT EXISTS schema_migrations (version INTEGER NOT NULL, applied_at TIMESTAMPTZ NOT NULL)",
  );
  await migrate(schemaOf(connection), await readMigrations(folder));
}

/** Checks that no migration is pending. @throws StoreOpenError if another Waybill version wrote the database. */
export const expectCurrentSchema = async (connection: DuckDBConnection): Promise<void> =>
  expectCurrent(schemaOf(connection), await readMigrations(RELEASED_MIGRATIONS));

/** Returns the pending migrations. @param connection omitted if the database does not exist. */
export const planSchema = async (name: string, connection?: DuckDBConnection): Promise<UpgradePlan> =>
  planMigrations(
    { name, version: connection === undefined ? async () => 0 : schemaOf(connection).version },
    await readMigrations(RELEASED_MIGRATIONS),
  );
