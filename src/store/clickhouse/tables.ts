import { fillIn, readSqlTemplate, type SqlTemplate } from "../../sql/template.js";
import { COUNTS } from "../delivery-data-store.js";
import { eventTypeWords } from "../event-type-words.js";
import { textLiteral } from "./literals.js";

const FOLDER = new URL("./sql/", import.meta.url);

/** Where the tables are. */
export interface Place {
  readonly database: string;
  /** Name of the cluster in the servers' configuration; missing for a single server without replication. */
  readonly cluster?: string | undefined;
}

/** A table that each server has. */
interface Table {
  /** How the engine merges rows; missing for a view. */
  readonly engine?: string;
  /** Chooses a shard for each new row; missing for a view. */
  readonly shard?: string;
}

/**
 * The tables by name. A message lives on one shard, as does a label of an app; a body lives beside its responses.
 */
const TABLES = {
  message_states: { engine: "AggregatingMergeTree", shard: "key_low" },
  fates: {},
  entries: { engine: "MergeTree", shard: "cityHash64(app, label)" },
  entry_versions: { engine: "ReplacingMergeTree", shard: "cityHash64(app, label)" },
  answers: { engine: "ReplacingMergeTree", shard: "cityHash64(app)" },
  answer_bodies: { engine: "ReplacingMergeTree", shard: "cityHash64(app)" },
} as const satisfies Readonly<Record<string, Table>>;

/** Name of a table. */
export type TableName = keyof typeof TABLES;

const TABLE_ENTRIES = Object.entries(TABLES) as readonly (readonly [TableName, Table])[];

/** Column type for counts. */
export const COUNT_TYPE = "UInt64";

/** Columns of `entries` with their types. The counts are those of the contract: a later version of it may have more. */
export const ENTRY_COLUMNS: ReadonlyMap<string, string> = new Map([
  ["project", "UInt64"],
  ["day", "Int32"],
  ["app", "String"],
  ["label", "String"],
  ["version", "UInt64"],
  ...COUNTS.map((name) => [name, COUNT_TYPE] as const),
  ["fetched_at", "UInt64"],
  ["original", "String"],
]);

const ENTRY_COLUMNS_SQL = [...ENTRY_COLUMNS].map(([name, type]) => `${name} ${type}`).join(",\n  ");

/**
 * Name of a table for queries and inserts, which go to all shards of a cluster. The one for entries has its number of counts
 * in its name: ClickHouse 18.16 cannot add a column to such a table on all servers, but it costs nothing to make another.
 */
export function tableIn({ database, cluster }: Place, table: TableName): string {
  if (cluster === undefined) return `${database}.${table}`;
  return `${database}.all_${table}${table === "entries" ? `_${COUNTS.length}` : ""}`;
}

/** A table function that reads a table of the engine on one replica of each shard. */
export const systemTable = ({ cluster }: Place, table: string): string =>
  cluster === undefined ? `system.${table}` : `cluster(${textLiteral(cluster)}, system, ${table})`;

const EVENT_TYPE_WORDS = eventTypeWords({
  total: (condition) => `countIf(${condition})`,
  saw: (type) => `bitAnd(seen, ${1 << type}) != 0`,
});

/** Reads a statement from the folder `sql`, about the tables in a place. */
export const sqlTemplate = (file: string, place: Place): SqlTemplate =>
  readSqlTemplate(new URL(file, FOLDER), {
    ...EVENT_TYPE_WORDS,
    ...Object.fromEntries(TABLE_ENTRIES.map(([table]) => [table.toUpperCase(), tableIn(place, table)])),
    COUNTS: COUNTS.join(", "),
    DATABASE_NAME: textLiteral(place.database),
    PARTS: systemTable(place, "parts"),
  });

/** The clause of statements that every server of a cluster has to run. */
export const onCluster = ({ cluster }: Place): string =>
  cluster === undefined ? "" : `ON CLUSTER ${cluster}`;

/** Fills in a migration, which makes tables in a place. A cluster replicates them within each shard. */
export function fillInMigration(sql: string, place: Place): string {
  const { database, cluster } = place;
  // ClickHouse 18.16 knows no {database} and {table} here.
  const engineOf = (table: string, engine: string): string =>
    cluster === undefined
      ? engine
      : `Replicated${engine}('/clickhouse/tables/{shard}/${database}/${table}', '{replica}')`;
  const engines = TABLE_ENTRIES.map(([table, { engine = "" }]) => [
    `ENGINE_OF_${table.toUpperCase()}`,
    engineOf(table, engine),
  ]);
  return fillIn(sql, {
    ...Object.fromEntries(engines),
    DATABASE: database,
    ON_CLUSTER: onCluster(place),
    ENTRY_COLUMNS: ENTRY_COLUMNS_SQL,
  });
}

/** Returns statements that make tables for all shards, by the names of these tables; none for a single server. */
export function tablesOfAllShards(place: Place): ReadonlyMap<string, string> {
  const { database, cluster } = place;
  if (cluster === undefined) return new Map();
  const statements = TABLE_ENTRIES.map(([table, { shard }]) => {
    const all = tableIn(place, table);
    // A server's own table may be about to get its last columns.
    const columns = table === "entries" ? `(${ENTRY_COLUMNS_SQL})` : `AS ${database}.${table}`;
    const distributed = [cluster, database, table, ...(shard === undefined ? [] : [shard])];
    const sql = `CREATE TABLE IF NOT EXISTS ${all} ${onCluster(place)} ${columns}
      ENGINE = Distributed(${distributed.join(", ")})`;
    return [all.slice(database.length + 1), sql] as const;
  });
  return new Map(statements);
}
