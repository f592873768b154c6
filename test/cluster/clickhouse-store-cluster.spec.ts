import { ProcessDayLedger } from "../../src/control/testing/process-day-ledger.js";
import { systemClock } from "../../src/model/clock.js";
import type { NameLimits } from "../../src/model/names.js";
import { ClickHouseStore } from "../../src/store/clickhouse/clickhouse-store.js";
import { describeStore } from "../../src/store/testing/conformance/store-conformance.js";
import { makeTables } from "../support/cluster/clickhouse-cluster.js";
import { describePromises } from "../support/cluster/clickhouse-promises.js";
import { CLUSTER } from "../support/cluster/clickhouse-server.js";
import { partFiles } from "../support/cluster/part-files.js";
import { sharedClickHouse } from "../support/cluster/shared-servers.js";
import { tableSets } from "../support/cluster/table-sets.js";
import { need } from "../support/needs.js";

need("clickhouse-server", "zookeeper");

const takeTables = tableSets(sharedClickHouse, makeTables);

async function makeStore() {
  const { urls, database, dispose } = await takeTables();
  return { urls, place: { database, cluster: CLUSTER }, dispose };
}

describeStore(
  "ClickHouseStore on a cluster of 2 shards with 2 replicas each",
  async () => {
    const { urls, place, dispose } = await makeStore();
    const ledger = new ProcessDayLedger(systemClock);
    const open = (nameLimits?: NameLimits) => ClickHouseStore.open({ urls, ...place, ledger, nameLimits });
    return { open, compactFiles: () => partFiles(urls, place.database), dispose };
  },
  { share: 0.1 },
);

describePromises(makeStore);
