import { ProcessDayLedger } from "../../src/control/testing/process-day-ledger.js";
import { systemClock } from "../../src/model/clock.js";
import type { NameLimits } from "../../src/model/names.js";
import { ClickHouseStore } from "../../src/store/clickhouse/clickhouse-store.js";
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
