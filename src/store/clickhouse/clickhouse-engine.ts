import type { StoreEngine } from "../store-engine.js";
import { type ClickHouseKeys, clickHouseSchema, readConnectionOptions } from "./clickhouse-options.js";

/** ClickHouse, on one server or in a cluster, for any number of processes. */
export const CLICKHOUSE_ENGINE = {
  name: "clickhouse",
  schema: clickHouseSchema,
  needsLedger: true,
  open: async (keys, { days, leases, clock, nameLimits }) => {
    if (days === undefined) throw new Error("the store needs a ledger of days");
    // Loads the driver only where it is used.
    const { ClickHouseStore } = await import("./clickhouse-store.js");
    const { database, cluster } = keys;
    return ClickHouseStore.open({
      ...(await readConnectionOptions(keys)),
      database,
      cluster,
      ledger: days,
      leases,
      clock,
      nameLimits,
    });
  },
} satisfies StoreEngine<ClickHouseKeys>;
