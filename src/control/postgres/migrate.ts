import type { Client, QueryResultRow } from "pg";
import { StoreOpenError } from "../../model/store-error.js";
import {
  migrate,
  planMigrations,
  readMigrations,
  type Schema,
  type UpgradePlan,
} from "../../sql/migrations.js";
import { endWithin, type PostgresDatabase } from "./postgres-database.js";
import { safeError } from "./postgres-error.js";

const FOLDER = new URL("./migrations/", import.meta.url);

/** Key of the lock for migrations. It is an arbitrary number that no other program uses. */
const LOCK = 7_723_895_461;

/** Timeout for migrations in milliseconds. It includes waiting for other processes. */
const MIGRATION_MS = 60_000;

/**
 * Upgrades the schema `waybill`. Runs the migrations that the database lacks, in order and in one transaction. If
 * several processes start together, they wait for each other.
 *
 * @throws StoreOpenError if the database cannot be used, or a newer version has written it.
 */
export async function migrateDatabase(database: PostgresDatabase): Promise<void> {
  const client = database.newClient({ silenceMs: MIGRATION_MS });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    await prepare(client);
    await migrate(schemaOf(client), await readMigrations(FOLDER));
    await client.query("COMMIT");
  } catch (error) {
    if (error instanceof StoreOpenError) throw error;
    throw new StoreOpenError(`the ${database.place} cannot be used: ${safeError(error).message}`);
  } finally {
    await endWithin(client.end());
  }
}

/**
 * Returns the migrations that {@link migrateDatabase} would apply. Changes nothing.
 *
 * @throws StoreUnavailableError if the database cannot be read.
 */
export async function planMigrationsOf(database: PostgresDatabase): Promise<UpgradePlan> {
  const read = <Row extends QueryResultRow>(sql: string) =>
    database.query<Row>("reading the schema version", sql);
  const version = async (): Promise<number> => {
    const [table] = await read<{ name: string | null }>(
      "SELECT to_regclass('waybill.schema_migrations')::text AS name",
    );
    if (table?.name == null) return 0;
    const [row] = await read<{ version: number }>(FIND_VERSION);
    return Number(row?.version);
  };
  return planMigrations({ name: `the ${database.place}`, version }, await readMigrations(FOLDER));
}

const FIND_VERSION = "SELECT coalesce(max(version), 0) AS version FROM waybill.schema_migrations";

async function prepare(client: Client): Promise<void> {
  const schema = await client.query("SELECT FROM pg_namespace WHERE nspname = 'waybill'");
  // If the user has no right to create a schema, an operator may already have created it.
  if (schema.rowCount === 0) await client.query("CREATE SCHEMA waybill");
  await client.query(
    "CREATE TABLE IF NOT EXISTS waybill.schema_migrations (version integer PRIMARY KEY, applied_at timestamptz NOT NULL)",
  );
}

/** Keeps schema versions in the table `schema_migrations`. */
const schemaOf = (client: Client): Schema => ({
  name: "the PostgreSQL database",
  version: async () => {
    const { rows } = await client.query<{ version: number }>(FIND_VERSION);
    return Number(rows[0]?.version);
  },
  apply: async ({ version, sql }) => {
    await client.query(sql);
    await client.query("INSERT INTO waybill.schema_migrations VALUES ($1, now())", [version]);
  },
});
