import { Readable } from "node:stream";
import type { Place } from "#dist/store/clickhouse/tables.js";
import { CLICKHOUSE, CLUSTER, type Cluster, openStore, runAt } from "../../support/cluster.js";
import { appendAll, timeOfRollup } from "../../support/data/day-store.js";
import { simulatedEvents } from "../../support/data/event-file.js";
import type { Measurement } from "../../support/measurement.js";
import { progress } from "../../support/progress.js";
import type { Scale } from "../../support/row.js";
import { rowsByShard } from "./rows-by-shard.js";

const FOUR_SHARDS: Place = { database: "four_shards", cluster: CLUSTER };

/** Measures the rows that each of four shards of one replica reads for a day's rollup. */
export async function measureFourShards(
  { clusterEvents: count }: Scale,
  cluster: Cluster,
): Promise<Measurement[]> {
  const store = await openStore(cluster, CLICKHOUSE, FOUR_SHARDS);
  try {
    progress("  storing the day in four shards");
    await appendAll(store, Readable.from(simulatedEvents(count, 1)));
    for (const url of CLICKHOUSE) await runAt(url, cluster, "SYSTEM STOP MERGES");
    await timeOfRollup(store);
    return [await rowsByShard(cluster, FOUR_SHARDS, CLICKHOUSE.length)];
  } finally {
    await store.close();
  }
}
