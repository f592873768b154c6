import { readdir } from "node:fs/promises";
import { StoreOpenError } from "../../model/store-error.js";
import type { Connection } from "./connection.js";
import { textLiteral } from "./literals.js";
import { RowReader } from "./row-binary.js";
import { migrationTemplate, onCluster, type Place } from "./tables.js";

/** Folder of the migrations. Those that end in `.cluster.sql` are for clusters only. */
const FOLDER = new URL("./migrations/", import.meta.url);

/**
 * Makes the tables, or brings them to the version of this program. Every statement may be repeated: several
 * processes may migrate at the same time, and one may have stopped in the middle.
 *
 * @throws StoreOpenError if a newer version of the program made them.
 */
export async function migrate(connection: Connection, place: Place): Promise<void> {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith(".sql")).sort();
  const latest = Math.max(...files.map(versionOf));
  const current = await currentVersion(connection, place);
  if (current > latest) {
    throw new StoreOpenError(
      `the database ${place.database} has schema version ${current}, and this version of waybill knows only ` +
        `${latest}: it was written by a newer version; run that one`,
    );
  }
  if (current === latest) return;
  const { database } = place;
  await connection.run(`CREATE DATABASE IF NOT EXISTS ${database} ${onCluster(place)}`);
  for (const file of files) {
    if (versionOf(file) <= current || (file.endsWith(".cluster.sql") && place.cluster === undefined))
      continue;
    for (const statement of statementsOf(migrationTemplate(new URL(file, FOLDER), place))) {
      await connection.run(statement);
    }
  }
  // A table for each version, on every server: a new server without tables is noticed.
  await connection.run(
    `CREATE TABLE IF NOT EXISTS ${database}.${VERSION_PREFIX}${latest} ${onCluster(place)} (since DateTime) ENGINE = Log`,
  );
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
