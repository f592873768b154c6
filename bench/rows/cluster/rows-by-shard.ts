import type { Place } from "#dist/store/clickhouse/tables.js";
import { CLICKHOUSE, type Cluster, runAt } from "../../support/cluster.js";
import { type Measurement, multipleLine } from "../../support/measurement.js";

const [FIRST = ""] = CLICKHOUSE;

/** Number of rows that the busiest shard read for the last rollup, compared with an equal share of all rows. */
export async function rowsByShard(cluster: Cluster, place: Place, shards: number): Promise<Measurement> {
  const prefix = place.cluster === undefined ? "" : "all_";
  const table = `${place.database}.${prefix}message_states`;
  const all = Number(await runAt(FIRST, cluster, `SELECT count() FROM ${table}`));
  const logs = await Promise.all(CLICKHOUSE.map((url) => readsOf(url, cluster)));
  const isRollup = ({ query }: Read): boolean =>
    query.includes("INSERT INTO") && query.includes(`${place.database}.${prefix}entries`);
  const reads = logs.flat();
  const rollup = reads.filter(isRollup).toSorted((a, b) => b.start - a.start)[0];
  if (rollup === undefined) throw new Error("no server has logged the rollup");
  const remote = reads
    .filter(({ id, initialId }) => initialId === rollup.id && id !== rollup.id)
    .map(({ rows }) => rows);
  // The server that runs the statement also counts the rows that other servers read for it.
  const own = rollup.rows - remote.reduce((sum, rows) => sum + rows, 0);
  const most = Math.max(own, ...remote);
  return multipleLine(
    `rows that the busiest shard reads for it, of ${shards}`,
    most,
    all / shards,
    "rows",
    1.1,
  );
}

/** A statement in a server's query log. */
interface Read {
  readonly id: string;
  readonly initialId: string;
  readonly start: number;
  readonly rows: number;
  readonly query: string;
}

async function readsOf(url: string, cluster: Cluster): Promise<readonly Read[]> {
  await runAt(url, cluster, "SYSTEM FLUSH LOGS");
  const log = await runAt(
    url,
    cluster,
    `SELECT query_id AS id, initial_query_id AS initialId, toUInt32(query_start_time) AS start, toFloat64(read_rows) AS rows,
       substring(query, 1, 200) AS query
     FROM system.query_log WHERE type = 2 FORMAT JSON`,
  );
  return (JSON.parse(log.toString()) as { data: Read[] }).data;
}
