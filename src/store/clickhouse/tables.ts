import { COUNTS } from "../delivery-data-store.js";
import { eventTypeWords } from "../event-type-words.js";
import { readSqlTemplate, type SqlTemplate, type SqlWords } from "../sql-template.js";
import { textLiteral } from "./literals.js";

const FOLDER = new URL("./sql/", import.meta.url);

/** Where the tables are. */
export interface Place {
  readonly database: string;
  /** Name of the cluster in the servers' configuration; missing for a single server without replication. */
  readonly cluster?: string | undefined;
}

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
    DATABASE: database,
    DATABASE_NAME: textLiteral(database),
    ON_CLUSTER: onCluster({ database, cluster }),
    MESSAGE_STATES: `${database}.${all}message_states`,
    FATES: `${database}.${all}fates`,
    ENTRIES: `${database}.${all}entries`,
    ORIGINALS: `${database}.${all}originals`,
    ENTRY_VERSIONS: `${database}.${all}entry_versions`,
    ANSWERS: `${database}.${all}answers`,
    ANSWER_BODIES: `${database}.${all}answer_bodies`,
    // For statements whose callers choose the table.
    ALL: all,
    PARTS: cluster === undefined ? "system.parts" : `cluster(${textLiteral(cluster)}, system, parts)`,
  };
}

/** Reads a migration, which makes tables in a place. A cluster replicates them within each shard. */
export function migrationTemplate(file: URL, place: Place): string {
  const { database, cluster } = place;
  // Older engines replace only the macros of their configuration in a path, not the names of database and table.
  const path = (table: string): string => `'/clickhouse/tables/{shard}/${database}/${table}', '{replica}'`;
  const engine = (kind: string, table: string): string =>
    cluster === undefined ? kind : `Replicated${kind}(${path(table)})`;
  return readSqlTemplate(file, {
    ...tableWords(place),
    CLUSTER: cluster ?? "",
    ENGINE_OF_STATES: engine("AggregatingMergeTree", "message_states"),
    ENGINE_OF_ENTRIES: engine("MergeTree", "entries"),
    ENGINE_OF_ORIGINALS: engine("MergeTree", "originals"),
    ENGINE_OF_ENTRY_VERSIONS: engine("ReplacingMergeTree", "entry_versions"),
    ENGINE_OF_ANSWERS: engine("ReplacingMergeTree", "answers"),
    ENGINE_OF_ANSWER_BODIES: engine("ReplacingMergeTree", "answer_bodies"),
  })();
}
