import { ProcessDayLedger } from "../../src/control/process/process-day-ledger.js";
import { systemClock } from "../../src/model/clock.js";
import { ClickHouseStore } from "../../src/store/clickhouse/clickhouse-store.js";
import { describeStore } from "../../src/store/testing/store-conformance.js";
import { dropTables, makeTables } from "../support/cluster/clickhouse-cluster.js";
import { CLUSTER } from "../support/cluster/clickhouse-server.js";
import { sharedClickHouse } from "../support/cluster/shared-servers.js";

let databases = 0;
describeStore("ClickHouseStore on a cluster of 2 shards with 2 replicas each", async () => {
  const ledger = new ProcessDayLedger(systemClock);
  const urls = await sharedClickHouse();
  const database = `suite_${++databases}`;
  await makeTables(urls, database);
  return {
    open: () => ClickHouseStore.open({ urls, database, cluster: CLUSTER, ledger }),
    dispose: () => dropTables(urls, database),
  };
});
