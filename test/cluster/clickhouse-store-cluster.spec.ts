import { afterAll, beforeAll } from "vitest";
import { ProcessDayLedger } from "../../src/control/process/process-day-ledger.js";
import { systemClock } from "../../src/model/clock.js";
import { ClickHouseStore } from "../../src/store/clickhouse/clickhouse-store.js";
import { describeStore } from "../../src/store/testing/store-conformance.js";
import { type ClickHouseCluster, startCluster } from "../support/cluster/clickhouse-cluster.js";
import { CLUSTER } from "../support/cluster/clickhouse-server.js";

let cluster: ClickHouseCluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.dispose());

describeStore("ClickHouseStore on a cluster of 2 shards with 2 replicas each", async () => {
  const ledger = new ProcessDayLedger(systemClock);
  const urls = cluster.servers.map(({ url }) => url);
  return {
    open: () => ClickHouseStore.open({ urls, database: "waybill", cluster: CLUSTER, ledger }),
    dispose: () => cluster.empty("waybill"),
  };
});
