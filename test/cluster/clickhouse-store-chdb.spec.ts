import { expect, onTestFinished, test } from "vitest";
import { ProcessDayLedger } from "../../src/control/testing/process-day-ledger.js";
import { systemClock } from "../../src/model/clock.js";
import type { NameLimits } from "../../src/model/names.js";
import { ClickHouseStore } from "../../src/store/clickhouse/clickhouse-store.js";
import { Connection } from "../../src/store/clickhouse/connection.js";
import { alterTable } from "../../src/store/clickhouse/write/alter-table.js";
import { describeStore } from "../../src/store/testing/conformance/store-conformance.js";
import { describePromises } from "../support/cluster/clickhouse-promises.js";
import { partFiles } from "../support/cluster/part-files.js";
import { sharedChdb } from "../support/cluster/shared-servers.js";
import { tableSets } from "../support/cluster/table-sets.js";
import { need } from "../support/needs.js";

need("chdb");

const takeTables = tableSets(async () => [await sharedChdb()]);

async function makeStore() {
  const { urls, database, dispose } = await takeTables();
  return { urls, place: { database }, dispose };
}

describeStore(
  "ClickHouseStore on the current engine",
  async () => {
    const { urls, place, dispose } = await makeStore();
    const ledger = new ProcessDayLedger(systemClock);
    const open = (nameLimits?: NameLimits) => ClickHouseStore.open({ urls, ...place, ledger, nameLimits });
    return { open, compactFiles: () => partFiles(urls, place.database), dispose };
  },
  { share: 0.25 },
);

describePromises(makeStore);

test.each([
  [1, ["0 ALTER TABLE d.entries DROP PARTITION 1"]],
  [0, ["ALTER TABLE d.entries ON CLUSTER c DROP PARTITION 1"]],
])("alterTable reads the leaders of shards from the current engine: %i", async (isLeader, expected) => {
  const connection = new Connection({ urls: [await sharedChdb()] });
  onTestFinished(() => connection.close());
  const statements: string[] = [];
  // The engine in one process has neither a cluster nor replicas.
  const clusters = "(SELECT 'c' AS cluster, toUInt32(1) AS shard_num, toUInt8(1) AS is_local)";
  const replicas = `(SELECT 'd' AS database, 'entries' AS table, toUInt8(${isLeader}) AS is_leader)`;
  const recording = Object.assign(Object.create(connection) as Connection, {
    readEach: (sql: string) =>
      connection.readEach(sql.replace("system.clusters", clusters).replace("system.replicas", replicas)),
    run: async (sql: string) => void statements.push(sql),
    runOn: async (server: number, sql: string) => void statements.push(`${server} ${sql}`),
  });
  await alterTable(recording, { database: "d", cluster: "c" }, "entries", ["DROP PARTITION 1"]);
  expect(statements).toEqual(expected);
});
