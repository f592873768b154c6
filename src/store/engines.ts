import * as z from "zod";
import type { UpgradePlan } from "../sql/migrations.js";
import { CLICKHOUSE_ENGINE } from "./clickhouse/clickhouse-engine.js";
import { DUCKDB_ENGINE } from "./duckdb/duckdb-engine.js";
import type { Store } from "./store.js";
import type { StoreContext, StoreEngine } from "./store-engine.js";

const ENGINES = [DUCKDB_ENGINE, CLICKHOUSE_ENGINE] as const;

/** Schema of the config key `store`. Its field `engine` selects the engine. */
export const storeSchema = z.discriminatedUnion("engine", [DUCKDB_ENGINE.schema, CLICKHOUSE_ENGINE.schema], {
  error: ({ code }) =>
    code === "invalid_union" ? `must be one of: ${ENGINES.map(({ name }) => name).join(", ")}` : undefined,
});

export type StoreOptions = z.output<typeof storeSchema>;

/**
 * Opens a store with the engine that `options` selects.
 *
 * @throws StoreOpenError if the store cannot be used.
 */
export async function openStore(options: StoreOptions, context: StoreContext): Promise<Store> {
  return engineOf(options).open(options, context);
}

/** Returns the changes that {@link openStore} would make to the schema. @throws StoreOpenError if it cannot be read. */
export const planStoreUpgrade = (
  options: StoreOptions,
  context: Pick<StoreContext, "directory">,
): Promise<UpgradePlan> => engineOf(options).planUpgrade(options, context);

/** Returns true if the store uses the day ledger of shared control data. */
export const storeNeedsLedger = (options: StoreOptions): boolean => engineOf(options).needsLedger;

function engineOf(options: StoreOptions): StoreEngine<StoreOptions> {
  const engines: readonly StoreEngine<StoreOptions>[] = ENGINES;
  const engine = engines.find(({ name }) => name === options.engine);
  if (engine === undefined) throw new Error(`there is no store engine ${options.engine}`);
  return engine;
}
