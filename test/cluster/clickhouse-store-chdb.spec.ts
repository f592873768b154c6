import { afterAll, beforeAll } from "vitest";
import { ProcessDayLedger } from "../../src/control/process/process-day-ledger.js";
import { systemClock } from "../../src/model/clock.js";
import { ClickHouseStore } from "../../src/store/clickhouse/clickhouse-store.js";
import { describeStore } from "../../src/store/testing/store-conformance.js";
import { type Chdb, startChdb } from "../support/cluster/chdb.js";

let chdb: Chdb;
beforeAll(async () => {
  chdb = await startChdb();
});
afterAll(() => chdb.dispose());

let databases = 0;
describeStore("ClickHouseStore on the current engine", async () => {
  const database = `test_${++databases}`;
  const ledger = new ProcessDayLedger(systemClock);
  return {
    open: () => ClickHouseStore.open({ urls: [chdb.url], database, ledger }),
    dispose: async () => {},
  };
});
