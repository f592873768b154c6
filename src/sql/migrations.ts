import { readdir, readFile } from "node:fs/promises";
import { StoreOpenError } from "../model/store-error.js";

/** A step from one schema version to the next one. */
export interface Migration {
  readonly version: number;
  /** File name, such as `0001-initial.sql`. */
  readonly name: string;
  /** Statements, separated by semicolons. */
  readonly sql: string;
}

export interface Schema {
  /** Database name in messages, such as `the database`. */
  readonly name: string;
  /** Returns the schema version. 0 before the first migration. */
  version(): Promise<number>;
  /** Runs a migration and records its version, atomically if the engine has transactions. */
  apply(migration: Migration): Promise<void>;
}

/** Schema version of a database, and the changes that opening it with this version of Waybill makes. */
export interface UpgradePlan {
  /** Database name for operators. */
  readonly name: string;
  /** Schema version. 0 if the database is empty or does not exist. */
  readonly found: number;
  /** Highest schema version that this version of Waybill supports. */
  readonly supported: number;
  /** Pending changes, in order. */
  readonly changes: readonly string[];
}

/** Reads the migrations in a folder. File names start with consecutive numbers, such as `0001-initial.sql`. */
export async function readMigrations(folder: URL): Promise<readonly Migration[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    files.map(async (file, index) => {
      const version = index + 1;
      if (Number.parseInt(file, 10) !== version)
        throw new Error(`migration ${version} is missing: found ${file}`);
      return { version, name: file, sql: await readFile(new URL(file, folder), "utf8") };
    }),
  );
}

/**
 * Applies all pending migrations, in order.
 *
 * @throws StoreOpenError if a newer Waybill version wrote the schema.
 */
export async function migrate(schema: Schema, migrations: readonly Migration[]): Promise<void> {
  const current = await expectKnown(schema, migrations);
  for (const migration of migrations.slice(current)) await schema.apply(migration);
}

/**
 * Checks that no migration is pending.
 *
 * @throws StoreOpenError if another Waybill version wrote the schema.
 */
export async function expectCurrent(
  schema: Pick<Schema, "name" | "version">,
  migrations: readonly Migration[],
): Promise<void> {
  const current = await expectKnown(schema, migrations);
  if (current === migrations.length) return;
  throw new StoreOpenError(
    `${schema.name} has schema version ${current}, but this version of waybill needs ${migrations.length}: ` +
      "start the server once to migrate it",
  );
}

/** Returns the migrations that {@link migrate} would apply. Changes nothing. */
export async function planMigrations(
  { name, version }: Pick<Schema, "name" | "version">,
  migrations: readonly Migration[],
): Promise<UpgradePlan> {
  const found = await version();
  const pending = migrations.slice(found);
  return { name, found, supported: migrations.length, changes: pending.map((migration) => migration.name) };
}

/** Returns the schema version. */
async function expectKnown(
  { name, version }: Pick<Schema, "name" | "version">,
  { length: latest }: readonly Migration[],
): Promise<number> {
  const current = await version();
  if (current <= latest) return current;
  throw new StoreOpenError(
    `${name} has schema version ${current}, but this version of waybill supports at most version ${latest}; ` +
      "run the newer version that wrote it",
  );
}
