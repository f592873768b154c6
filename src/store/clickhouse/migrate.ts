import { readdir } from "node:fs/promises";
import { StoreOpenError } from "../../model/store-error.js";
import type { Connection } from "./connection.js";
import { textLiteral } from "./literals.js";
import { RowReader } from "./row-binary.js";
import { migrationTemplate, onCluster, type Place } from "./tables.js";
import type { Retries } from "./write/retries.js";

/** Folder of the migrations. Those that end in `.cluster.sql` are for clusters only. */
const FOLDER = new URL("./migrations/", import.meta.url);

/**
 * Makes the tables, or brings them to the version of this program. Every statement may be repeated: several
 * processes may migrate at the same time, and one may have stopped in the middle.
 *
 * @throws StoreOpenError if a newer version of the program made them.
 */
export async function migrate(connection: Connection, place: Place, retries: Retries): Promise<void> {
  const migrations = await migrationsOf(place);
  const latest = Math.max(...migrations.map(({ version }) => version));
  const current = await currentVersion(connection, place);
  if (current > latest) {
    throw new StoreOpenError(
      `the database ${place.database} has schema version ${current}, and this version of waybill knows only ` +
        `${latest}: it was written by a newer version; run that one`,
    );
  }
  if (current === latest) return;
  for (const { version, statements } of migrations) {
    if (version <= current) continue;
    for (const statement of statements) await retries.run(() => connection.run(statement));
  }
}

/** A migration to a version. */
export interface Migration {
  readonly version: number;
  readonly statements: readonly string[];
}

/** Reads all migrations of tables in a place, in their order. The first makes the database. */
export async function migrationsOf(place: Place): Promise<readonly Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith(".sql")).sort();
  const files = names.filter((name) => place.cluster !== undefined || !name.endsWith(".cluster.sql"));
  const versions = [...new Set(files.map(versionOf))];
  const { database } = place;
  return versions.map((version) => ({
    version,
    statements: [
      ...(version === 1 ? [`CREATE DATABASE IF NOT EXISTS ${database} ${onCluster(place)}`] : []),
      ...files
        .filter((file) => versionOf(file) === version)
        .flatMap((file) => statementsOf(migrationTemplate(new URL(file, FOLDER), place))),
      // A table for each version, on every server: a new server without tables is noticed.
      `CREATE TABLE IF NOT EXISTS ${database}.${VERSION_PREFIX}${version} ${onCluster(place)} (since DateTime)
       ENGINE = Log`,
    ],
  }));
}

const VERSION_PREFIX = "schema_version_";

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

const versionOf = (file: string): number => Number.parseInt(file, 10);

/** Splits a migration into its statements, without comments. No literal in them has a semicolon or two dashes. */
const statementsOf = (sql: string): readonly string[] =>
  sql
    .replaceAll(/--.*$/gm, "")
    .split(";")
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
