import { ProcessDayLedger } from "../../src/control/process/process-day-ledger.js";
import { systemClock } from "../../src/model/clock.js";
import { ClickHouseStore } from "../../src/store/clickhouse/clickhouse-store.js";
import { describeStore } from "../../src/store/testing/store-conformance.js";
import { dropTables, makeTables } from "../support/cluster/clickhouse-cluster.js";
import { describePromises } from "../support/cluster/clickhouse-promises.js";
import { CLUSTER } from "../support/cluster/clickhouse-server.js";
import { sharedClickHouse } from "../support/cluster/shared-servers.js";

let databases = 0;

/** Makes the tables of a store in a database of their own. */
async function makeStore() {
  const urls = await sharedClickHouse();
  const database = `suite_${++databases}`;
  await makeTables(urls, database);
  return { urls, place: { database, cluster: CLUSTER }, dispose: () => dropTables(urls, database) };
}

describeStore(
  "ClickHouseStore on a cluster of 2 shards with 2 replicas each",
  async () => {
    const { urls, place, dispose } = await makeStore();
    const ledger = new ProcessDayLedger(systemClock);
    return { open: () => ClickHouseStore.open({ urls, ...place, ledger }), dispose };
  },
  { share: 0.1 },
);

describePromises(makeStore);
