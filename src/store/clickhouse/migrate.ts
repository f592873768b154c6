import { type Migration, migrate, readMigrations } from "../../sql/migrations.js";
import type { Connection } from "./connection.js";
import { textLiteral } from "./literals.js";
import { RowReader } from "./row-binary.js";
import { fillInMigration, onCluster, type Place, statementsForAllShards } from "./tables.js";
import type { Retries } from "./write/retries.js";

const FOLDER = new URL("./migrations/", import.meta.url);

/** A table for each version, on every server: a new server without tables is noticed. */
const VERSION_PREFIX = "schema_version_";

/**
 * Makes the tables, or brings them up to date. Every statement may be repeated: several
 * processes may migrate at the same time, and one may have stopped in the middle.
 *
 * @throws StoreOpenError if a newer version of the program made them.
 */
export async function migrateTables(connection: Connection, place: Place, retries: Retries): Promise<void> {
  const schema = {
    name: `the database ${place.database}`,
    version: () => currentVersion(connection, place),
    apply: async (migration: Migration) => {
      for (const statement of statementsOf(migration, place))
        await retries.run(() => connection.run(statement));
    },
  };
  await migrate(schema, await readMigrations(FOLDER));
}

/** Returns all statements that make tables in a place. */
export const allStatements = async (place: Place): Promise<readonly string[]> =>
  (await readMigrations(FOLDER)).flatMap((migration) => statementsOf(migration, place));

function statementsOf({ version, sql }: Migration, place: Place): readonly string[] {
  const { database } = place;
  return [
    `CREATE DATABASE IF NOT EXISTS ${database} ${onCluster(place)}`,
    ...split(fillInMigration(sql, place)),
    ...statementsForAllShards(place),
    `CREATE TABLE IF NOT EXISTS ${database}.${VERSION_PREFIX}${version} ${onCluster(place)} (since DateTime)
     ENGINE = Log`,
  ];
}

async function currentVersion(connection: Connection, { database }: Place): Promise<number> {
  const rows = new RowReader(
    await connection.read(
      `SELECT name FROM system.tables
       WHERE database = ${textLiteral(database)} AND name LIKE ${textLiteral(`${VERSION_PREFIX}%`)}`,
    ),
  );
  let version = 0;
  while (!rows.isAtEnd) version = Math.max(version, Number(rows.text().slice(VERSION_PREFIX.length)));
  return version;
}

/** Splits a migration into its statements, without comments. No literal in them has a semicolon or two dashes. */
const split = (sql: string): readonly string[] =>
  sql
    .replaceAll(/--.*$/gm, "")
    .split(";")
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
