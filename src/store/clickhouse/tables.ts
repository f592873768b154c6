import { fillIn, readSqlTemplate, type SqlTemplate, type SqlWords } from "../../sql/template.js";
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

/** A table of each server. */
interface Table {
  /** How the engine merges its rows; missing for a view. */
  readonly engine?: string;
  /** Chooses the shard of a new row; missing for a view. */
  readonly shard?: string;
}

/** The tables by name. A message lives on one shard, as does a label of an app; a body lives beside its responses. */
const TABLES: Readonly<Record<string, Table>> = {
  message_states: { engine: "AggregatingMergeTree", shard: "key_low" },
  fates: {},
  entries: { engine: "MergeTree", shard: "cityHash64(app, label)" },
  originals: { engine: "MergeTree", shard: "cityHash64(app, label)" },
  entry_versions: { engine: "ReplacingMergeTree", shard: "cityHash64(app, label)" },
  answers: { engine: "ReplacingMergeTree", shard: "cityHash64(app)" },
  answer_bodies: { engine: "ReplacingMergeTree", shard: "cityHash64(app)" },
};

const EVENT_TYPE_WORDS = eventTypeWords({
  total: (condition) => `countIf(${condition})`,
  saw: (type) => `bitAnd(seen, ${1 << type}) != 0`,
});

/** Reads a statement from the folder `sql`, about the tables in a place. */
export const sqlTemplate = (file: string, place: Place): SqlTemplate =>
  readSqlTemplate(new URL(file, FOLDER), {
    ...EVENT_TYPE_WORDS,
    COUNTS: COUNTS.join(", "),
    ...tableWords(place),
  });

/** The clause of statements that every server of a cluster has to run. */
export const onCluster = ({ cluster }: Place): string =>
  cluster === undefined ? "" : `ON CLUSTER ${cluster}`;

/**
 * Words of statements that name tables. In a cluster, queries and inserts go to tables of all shards, whose names
 * begin with `all_`.
 */
function tableWords({ database, cluster }: Place): SqlWords {
  const all = cluster === undefined ? "" : "all_";
  return {
    ...Object.fromEntries(
      Object.keys(TABLES).map((table) => [table.toUpperCase(), `${database}.${all}${table}`]),
    ),
    DATABASE: database,
    DATABASE_NAME: textLiteral(database),
    ON_CLUSTER: onCluster({ database, cluster }),
    // For statements whose callers choose the table.
    ALL: all,
    PARTS: cluster === undefined ? "system.parts" : `cluster(${textLiteral(cluster)}, system, parts)`,
  };
}

/** Fills in a migration, which makes tables in a place. A cluster replicates them within each shard. */
export function fillInMigration(sql: string, place: Place): string {
  const { database, cluster } = place;
  // Older engines replace only the macros of their configuration in a path, not the names of database and table.
  const engineOf = (engine: string, table: string): string =>
    cluster === undefined
      ? engine
      : `Replicated${engine}('/clickhouse/tables/{shard}/${database}/${table}', '{replica}')`;
  const engines = Object.entries(TABLES).map(([table, { engine = "" }]) => [
    `ENGINE_OF_${table.toUpperCase()}`,
    engineOf(engine, table),
  ]);
  return fillIn(sql, { ...tableWords(place), ...Object.fromEntries(engines) });
}

/** Returns statements that make tables for all shards. */
export const statementsForAllShards = (place: Place): readonly string[] =>
  place.cluster === undefined
    ? []
    : Object.entries(TABLES).map(([table, { shard }]) => {
        const own = `${place.database}.${table}`;
        const distributed = [place.cluster, place.database, table, ...(shard === undefined ? [] : [shard])];
        return `CREATE TABLE IF NOT EXISTS ${place.database}.all_${table} ${onCluster(place)} AS ${own}
          ENGINE = Distributed(${distributed.join(", ")})`;
      });
