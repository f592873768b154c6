import { fillIn, readSqlTemplate, type SqlTemplate } from "../../sql/template.js";
import { COUNTS } from "../delivery-data-store.js";
import { eventTypeWords } from "../event-type-words.js";
import { textLiteral } from "./literals.js";

const FOLDER = new URL("./sql/", import.meta.url);

/** Location of the tables in the server. */
export interface Place {
  readonly database: string;
  /** Name of the cluster in the servers' config. Omitted for a single server without replication. */
  readonly cluster?: string | undefined;
}

interface Table {
  /** Engine of the table, which merges rows. Omitted for a view. */
  readonly engine?: string;
  /** Expression that assigns new rows to shards. Omitted for a view. */
  readonly shard?: string;
}

/**
 * All tables by name. The sharding expressions keep these together on one shard: a message's states, a label's entries
 * in an app, and a body with its responses.
 */
const TABLES = {
  message_states: { engine: "AggregatingMergeTree", shard: "key_low" },
  fates: {},
  entries: { engine: "MergeTree", shard: "cityHash64(app, label)" },
  entry_versions: { engine: "ReplacingMergeTree", shard: "cityHash64(app, label)" },
  responses: { engine: "ReplacingMergeTree", shard: "cityHash64(app)" },
  response_bodies: { engine: "ReplacingMergeTree", shard: "cityHash64(app)" },
} as const satisfies Readonly<Record<string, Table>>;

export type TableName = keyof typeof TABLES;

const TABLE_ENTRIES = Object.entries(TABLES) as readonly (readonly [TableName, Table])[];

export const COUNT_TYPE = "UInt64";

/** Columns of `entries` with their types. A later contract version may add counts. */
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
 * Returns a table's name for queries and inserts on all shards. For `entries`, the name includes the number of counts:
 * ClickHouse 18.16 cannot add columns to such a table on all servers, but creating another table is cheap.
 */
export function tableIn({ database, cluster }: Place, table: TableName): string {
  if (cluster === undefined) return `${database}.${table}`;
  return `${database}.all_${table}${table === "entries" ? `_${COUNTS.length}` : ""}`;
}

/** Returns a table function that reads a system table on one replica of each shard. */
export const systemTable = ({ cluster }: Place, table: string): string =>
  cluster === undefined ? `system.${table}` : `cluster(${textLiteral(cluster)}, system, ${table})`;

const EVENT_TYPE_WORDS = eventTypeWords({
  total: (condition) => `countIf(${condition})`,
  saw: (type) => `bitAnd(seen, ${1 << type}) != 0`,
});

/** Reads a statement from the folder `sql`, with table names for `place`. */
export const sqlTemplate = (file: string, place: Place): SqlTemplate =>
  readSqlTemplate(new URL(file, FOLDER), {
    ...EVENT_TYPE_WORDS,
    ...Object.fromEntries(TABLE_ENTRIES.map(([table]) => [table.toUpperCase(), tableIn(place, table)])),
    COUNTS: COUNTS.join(", "),
    DATABASE_NAME: textLiteral(place.database),
    MUTATIONS: systemTable(place, "mutations"),
    PARTS: systemTable(place, "parts"),
  });

/** Returns the clause for a statement that every server of the cluster must run. */
export const onCluster = ({ cluster }: Place): string =>
  cluster === undefined ? "" : `ON CLUSTER ${cluster}`;

/** Fills in a migration that creates tables. In a cluster, the tables are replicated within each shard. */
export function fillInMigration(sql: string, place: Place): string {
  const { database, cluster } = place;
  // ClickHouse 18.16 does not support {database} and {table} here.
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

/** Returns statements that create the tables across all shards, by table name. Empty for a single server. */
export function tablesOfAllShards(place: Place): ReadonlyMap<string, string> {
  const { database, cluster } = place;
  if (cluster === undefined) return new Map();
  const statements = TABLE_ENTRIES.map(([table, { shard }]) => {
    const all = tableIn(place, table);
    // The table on the server itself may not have its newest columns yet.
    const columns = table === "entries" ? `(${ENTRY_COLUMNS_SQL})` : `AS ${database}.${table}`;
    const distributed = [cluster, database, table, ...(shard === undefined ? [] : [shard])];
    const sql = `CREATE TABLE IF NOT EXISTS ${all} ${onCluster(place)} ${columns}
      ENGINE = Distributed(${distributed.join(", ")})`;
    return [all.slice(database.length + 1), sql] as const;
  });
  return new Map(statements);
}
