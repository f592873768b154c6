import { ProcessDayLedger } from "../../src/control/process/process-day-ledger.js";
import { systemClock } from "../../src/model/clock.js";
import { ClickHouseStore } from "../../src/store/clickhouse/clickhouse-store.js";
import { describeStore } from "../../src/store/testing/store-conformance.js";
import { runStatement } from "../support/cluster/run-statement.js";
import { sharedChdb } from "../support/cluster/shared-servers.js";

let databases = 0;
describeStore("ClickHouseStore on the current engine", async () => {
  const url = await sharedChdb();
  const database = `suite_${++databases}`;
  const ledger = new ProcessDayLedger(systemClock);
  return {
    open: () => ClickHouseStore.open({ urls: [url], database, ledger }),
    dispose: async () => {
      await runStatement(url, `DROP DATABASE ${database}`);
    },
  };
});
