import { StoreOpenError } from "../../model/store-error.js";
import {
  type Migration,
  migrate,
  planMigrations,
  readMigrations,
  type UpgradePlan,
} from "../../sql/migrations.js";
import { COUNTS } from "../delivery-data-store.js";
import type { Connection } from "./connection.js";
import { isKnownColumn, isStillRunning } from "./engine-error.js";
import { textLiteral } from "./literals.js";
import { RowReader } from "./row-binary.js";
import {
  COUNT_TYPE,
  ENTRY_COLUMNS,
  fillInMigration,
  onCluster,
  type Place,
  systemTable,
  tablesOfAllShards,
} from "./tables.js";
import { alterTable } from "./write/alter-table.js";
import type { Retries } from "./write/retries.js";

const FOLDER = new URL("./migrations/", import.meta.url);

/** Each schema version is an empty table on every server. This shows whether a new server still lacks the tables. */
const VERSION_PREFIX = "schema_version_";

/**
 * Creates or migrates the tables. Each step may be repeated, because several processes may migrate at the same time,
 * and each of them may fail at any point.
 *
 * @throws StoreOpenError if a newer Waybill version has created the tables.
 */
export async function migrateTables(connection: Connection, place: Place, retries: Retries): Promise<void> {
  const run = (statement: string) => untilComplete(() => retries.run(() => connection.run(statement)));
  const schema = {
    ...versionedBy(connection, place),
    apply: async (migration: Migration) => {
      for (const statement of statementsOf(migration, place)) await run(statement);
    },
  };
  await migrate(schema, await readMigrations(FOLDER));
  await addCounts(connection, place, retries);
  const known = new Set(await tablesOf(connection, place));
  for (const [table, statement] of tablesOfAllShards(place)) if (!known.has(table)) await run(statement);
}

const versionedBy = (connection: Connection, place: Place) => ({
  name: `the database ${place.database}`,
  version: async () => versionIn(await tablesOf(connection, place)),
});

/**
 * Returns the changes that {@link migrateTables} would make. Changes nothing.
 *
 * @throws StoreOpenError if a newer Waybill version has added counts.
 */
export async function planTables(connection: Connection, place: Place): Promise<UpgradePlan> {
  const { name, ...schema } = versionedBy(connection, place);
  const title = `${name} in ClickHouse`;
  const plan = await planMigrations({ ...schema, name: title }, await readMigrations(FOLDER));
  if (plan.found === 0) return plan;
  const columns = (await missingCounts(connection, place)).map((count) => `column ${count} of entries`);
  return { ...plan, changes: [...plan.changes, ...columns] };
}

/** Maximum number of attempts if a statement on the whole cluster is incomplete. Each attempt waits for 20 seconds. */
const MAX_ATTEMPTS = 6;

/** Repeats work while a server needs more time for a statement on the whole cluster. */
async function untilComplete(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isStillRunning(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

export const allStatements = async (place: Place): Promise<readonly string[]> => [
  ...(await readMigrations(FOLDER)).flatMap((migration) => statementsOf(migration, place)),
  ...tablesOfAllShards(place).values(),
];

function statementsOf({ version, sql }: Migration, place: Place): readonly string[] {
  const { database } = place;
  return [
    `CREATE DATABASE IF NOT EXISTS ${database} ${onCluster(place)}`,
    ...split(fillInMigration(sql, place)),
    `CREATE TABLE IF NOT EXISTS ${database}.${VERSION_PREFIX}${version} ${onCluster(place)} (since DateTime)
     ENGINE = Log`,
  ];
}

/**
 * Adds columns for new counts to `entries`. They have the same position as in a new table, because the order of columns
 * must not differ between replicas. Processes of an earlier version can continue, because statements name their
 * columns.
 */
async function addCounts(connection: Connection, place: Place, retries: Retries): Promise<void> {
  const add = async (): Promise<void> => {
    for (const name of await missingCounts(connection, place)) {
      const before = COUNTS[COUNTS.indexOf(name) - 1] ?? "version";
      // ClickHouse 18.16 does not support IF NOT EXISTS here.
      await alterTable(connection, place, "entries", [`ADD COLUMN ${name} ${COUNT_TYPE} AFTER ${before}`]);
    }
  };
  // Another process may be adding the column at the same time, or an earlier attempt may have added it on one shard.
  await untilComplete(() => retries.run(add, { mayPass: isKnownColumn }));
}

/**
 * Returns the counts for which `entries` lacks a column on at least one shard, in order.
 *
 * @throws StoreOpenError if the table has unknown counts, because rollups by this version would leave them at 0.
 */
async function missingCounts(connection: Connection, place: Place) {
  const rows = new RowReader(
    await connection.read(
      `SELECT name, toUInt64(count()) FROM ${systemTable(place, "columns")}
       WHERE database = ${textLiteral(place.database)} AND table = 'entries' GROUP BY name`,
    ),
  );
  const shardsWith = new Map<string, number>();
  while (!rows.isAtEnd) shardsWith.set(rows.text(), rows.count());
  const unknown = [...shardsWith.keys()].find((name) => !ENTRY_COLUMNS.has(name));
  if (unknown !== undefined) {
    throw new StoreOpenError(
      `the database ${place.database} has entries with the count ${unknown}, which this version of waybill does not support; ` +
        "run the newer version that wrote them",
    );
  }
  const shards = shardsWith.get("version");
  return COUNTS.filter((name) => shardsWith.get(name) !== shards);
}

async function tablesOf(connection: Connection, { database }: Place): Promise<readonly string[]> {
  const rows = new RowReader(
    await connection.read(`SELECT name FROM system.tables WHERE database = ${textLiteral(database)}`),
  );
  const names: string[] = [];
  while (!rows.isAtEnd) names.push(rows.text());
  return names;
}

const versionIn = (tables: readonly string[]): number =>
  Math.max(
    0,
    ...tables
      .filter((name) => name.startsWith(VERSION_PREFIX))
      .map((name) => Number(name.slice(VERSION_PREFIX.length))),
  );

/**
 * Splits a migration into statements, and removes comments. Literals in a migration must contain neither semicolons nor
 * two consecutive dashes.
 */
const split = (sql: string): readonly string[] =>
  sql
    .replaceAll(/--.*$/gm, "")
    .split(";")
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
