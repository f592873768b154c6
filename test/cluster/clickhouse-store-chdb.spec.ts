import { ProcessDayLedger } from "../../src/control/process/process-day-ledger.js";
import { systemClock } from "../../src/model/clock.js";
import { ClickHouseStore } from "../../src/store/clickhouse/clickhouse-store.js";
import { describeStore } from "../../src/store/testing/store-conformance.js";
import { describePromises } from "../support/cluster/clickhouse-promises.js";
import { runStatement } from "../support/cluster/run-statement.js";
import { sharedChdb } from "../support/cluster/shared-servers.js";

let databases = 0;

/** Chooses a database, which the store makes. */
async function chooseDatabase() {
  const url = await sharedChdb();
  const database = `suite_${++databases}`;
  const dispose = async (): Promise<void> => {
    await runStatement(url, `DROP DATABASE ${database}`);
  };
  return { urls: [url], place: { database }, dispose };
}

describeStore(
  "ClickHouseStore on the current engine",
  async () => {
    const { urls, place, dispose } = await chooseDatabase();
    const ledger = new ProcessDayLedger(systemClock);
    return { open: () => ClickHouseStore.open({ urls, ...place, ledger }), dispose };
  },
  { share: 0.25 },
);

describePromises(chooseDatabase);
