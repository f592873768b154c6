import { Readable } from "node:stream";
import { integerLiteral, projectLiteral } from "#dist/store/clickhouse/literals.js";
import { type Place, sqlTemplate, tableIn } from "#dist/store/clickhouse/tables.js";
import { CLICKHOUSE, CLUSTER, type Cluster, openStore, runAt } from "../../support/cluster.js";
import { appendAll, DAY, timeOfRollup } from "../../support/data/day-store.js";
import { simulatedEvents } from "../../support/data/event-file.js";
import { compare, figureLine, type Measurement, multipleLine, timeLine } from "../../support/measurement.js";
import { progress } from "../../support/progress.js";
import { bytesBetweenNodes } from "../../support/reads/node-traffic.js";
import type { Scale } from "../../support/row.js";
import { PROJECT } from "../../support/waybill-server.js";
import { rowsByShard } from "./rows-by-shard.js";

const TWO_SHARDS: Place = { database: "two_shards", cluster: CLUSTER };
const ONE_SHARD: Place = { database: "one_shard" };
const [FIRST = ""] = CLICKHOUSE;

/** Rollup of a day, measured in the store: time, bytes between servers, and rows that each shard reads. */
export async function measureRollup(
  { runs, clusterEvents: count }: Scale,
  cluster: Cluster,
): Promise<Measurement[]> {
  const two = await openStore(cluster, CLICKHOUSE, TWO_SHARDS);
  const one = await openStore(cluster, [FIRST], ONE_SHARD);
  try {
    progress("  storing the day");
    await appendAll(two, Readable.from(simulatedEvents(count, 1)));
    // The day's rows stay the same during the measurement.
    for (const url of CLICKHOUSE) await runAt(url, cluster, "SYSTEM STOP MERGES");
    await runAt(
      FIRST,
      cluster,
      `INSERT INTO ${ONE_SHARD.database}.message_states SELECT * FROM ${TWO_SHARDS.database}.all_message_states`,
    );
    const timeOfStatement = async (): Promise<number> => {
      const start = performance.now();
      await runAt(FIRST, cluster, plainStatement(TWO_SHARDS));
      return performance.now() - start;
    };
    await timeOfRollup(two);
    await timeOfStatement();
    const times = await compare(runs, () => timeOfRollup(two), timeOfStatement);
    const sent = await bytesBetweenNodes(() => timeOfRollup(two));
    const entries = `SELECT * FROM ${tableIn(TWO_SHARDS, "entries")}
      WHERE version = (SELECT max(version) FROM ${tableIn(TWO_SHARDS, "entries")}) FORMAT RowBinary`;
    const { length } = await runAt(FIRST, cluster, entries);
    await timeOfRollup(one);
    return [
      timeLine(`rollup of a day of ${count.toLocaleString("en-US")} events, 2 shards`, times, 1.3),
      multipleLine("bytes between servers for that rollup", sent, length, "bytes", 3),
      await rowsByShard(cluster, ONE_SHARD, 1),
      await rowsByShard(cluster, TWO_SHARDS, 2),
      await bytesOfMessage(cluster),
    ];
  } finally {
    for (const url of CLICKHOUSE) await runAt(url, cluster, "SYSTEM START MERGES");
    await two.close();
    await one.close();
  }
}

/** Measures the disk space of a message on each replica once the engine has merged its events. */
async function bytesOfMessage(cluster: Cluster): Promise<Measurement> {
  const { database } = ONE_SHARD;
  await runAt(FIRST, cluster, "SYSTEM START MERGES");
  await runAt(FIRST, cluster, `OPTIMIZE TABLE ${database}.message_states FINAL`);
  const parts = `SELECT sum(bytes_on_disk) / sum(rows) FROM system.parts
    WHERE active AND database = '${database}' AND table = 'message_states'`;
  const bytes = Number(await runAt(FIRST, cluster, parts));
  const what = "bytes on disk of a message and day, on each replica";
  return figureLine(what, `${bytes.toFixed(1)} bytes`, "≤ 64 bytes", bytes <= 64);
}

/** Only the rollup query: computes entries without storing and publishing them. */
const plainStatement = (place: Place): string =>
  sqlTemplate(
    "write/rollup.sql",
    place,
  )({ PROJECT: projectLiteral(PROJECT), VERSION: integerLiteral(0), DAYS: integerLiteral(DAY) }).replace(
    /INSERT INTO.*/,
    "",
  );
