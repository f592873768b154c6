import type { Logger } from "pino";
import { MessagingDataService } from "../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { listHandler } from "../messaging-data/delivery-data/list-handler.js";
import { PageTokenCodec } from "../messaging-data/delivery-data/page-token.js";
import { EventWorkerPool } from "../messaging-data/events/event-worker-pool.js";
import { importHandler } from "../messaging-data/events/import-handler.js";
import { RollupScheduler } from "../messaging-data/rollup/rollup-scheduler.js";
import { DuckDbStore } from "../store/duckdb/duckdb-store.js";
import { ReopeningStore } from "../store/reopening-store.js";
import type { Store } from "../store/store.js";
import type { ServiceImplementation } from "../transcoding/service.js";
import type { Access } from "./access.js";
import type { Config } from "./config-schema.js";
import type { Metrics } from "./metrics.js";
import { localPageTokenKey } from "./page-token-key.js";

/** The messaging-data service with all that works behind it. */
export interface MessagingData {
  readonly implementation: ServiceImplementation<Access, typeof MessagingDataService>;
  readonly store: Store;
  readonly scheduler: RollupScheduler;
  /** To be called when no request is under way any more. */
  close(): Promise<void>;
}

/** Opens the store, and starts to roll up what is stale in it. */
export async function openMessagingData(
  config: Config,
  metrics: Metrics,
  logger: Logger,
): Promise<MessagingData> {
  const { memoryLimit, threads } = config.store;
  const { pageTokens, pageTokenKey, settleDelay, import: limits } = config.messagingData;
  const tokens = new PageTokenCodec(pageTokenKey ?? (await localPageTokenKey(config.dataDir)));
  const store = await ReopeningStore.open(
    () =>
      DuckDbStore.open({
        directory: config.dataDir,
        memoryLimit,
        ...(threads !== undefined && { threads }),
      }),
    (error) => logger.error({ err: error }, "the store has failed and is opened anew"),
  );
  const scheduler = new RollupScheduler(store, {
    rolledUp: (day, milliseconds) => {
      metrics.rollups.observe(milliseconds / 1000);
      logger.debug({ ...day, durationMs: Math.round(milliseconds) }, "rolled up");
    },
    failed: (day, error) => {
      metrics.storeErrors.inc({ caller: "rollup" });
      logger.error({ ...day, err: error }, "a rollup failed and will be tried again");
    },
  });
  const parser = new EventWorkerPool(limits.maxLineBytes);
  const implementation = {
    service: MessagingDataService,
    handlers: {
      listAndroidDeliveryData: listHandler({
        store,
        tokens,
        lenientPageTokens: pageTokens === "lenient",
        settleDelay,
        now: Date.now,
      }),
      importMessageEvents: importHandler({
        store,
        parser,
        limits,
        onImported: ({ stored, optedOut }) => {
          metrics.importedEvents.inc({ result: "stored" }, stored);
          metrics.importedEvents.inc({ result: "opted_out" }, optedOut);
          scheduler.notice();
        },
      }),
    },
  };
  metrics.watchRollupLag(() => scheduler.lag(Date.now()) / 1000);
  scheduler.start();
  return {
    implementation,
    store,
    scheduler,
    close: async () => {
      await scheduler.stop();
      await parser.close();
      await store.close();
    },
  };
}
