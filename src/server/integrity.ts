import type { Logger } from "pino";
import { IntegrityService } from "../gen/waybill/integrity/v1/integrity_pb.js";
import { batchGetHandler } from "../integrity/batch-get-handler.js";
import { configName } from "../integrity/config-name.js";
import { getHandler } from "../integrity/get-handler.js";
import { listAppsHandler } from "../integrity/list-apps-handler.js";
import { updateHandler } from "../integrity/update-handler.js";
import type { PageTokens } from "../paging/page-tokens.js";
import { durationJson } from "../store/journal/change-record.js";
import { JournaledConfigStore, type OverriddenValue } from "../store/journal/journaled-config-store.js";
import type { ServiceImplementation } from "../transcoding/service.js";
import type { Access } from "./access.js";
import { inProject } from "./call-scope.js";
import type { Config } from "./config-schema.js";
import type { Metrics } from "./metrics.js";

/**
 * Makes the app-integrity service of what is registered and of what has been changed since.
 *
 * @throws StoreOpenError if the changes cannot be read.
 */
export function openIntegrity(
  config: Config,
  tokens: PageTokens,
  metrics: Metrics,
  logger: Logger,
): ServiceImplementation<Access, typeof IntegrityService> {
  const store = JournaledConfigStore.open({
    projects: config.projects,
    directory: config.dataDir,
    onFailure: (error) => {
      metrics.storeErrors.inc({ caller: "configurations" });
      logger.error({ err: error }, "the changes of configurations cannot be read");
    },
  });
  for (const overridden of store.overridden()) tellOverridden(overridden, logger);
  return {
    service: IntegrityService,
    handlers: {
      listApps: inProject(listAppsHandler(store, tokens)),
      getAppAttestConfig: inProject(getHandler(store)),
      batchGetAppAttestConfigs: inProject(batchGetHandler(store)),
      updateAppAttestConfig: inProject(updateHandler(store)),
    },
  };
}

function tellOverridden({ registered, change }: OverriddenValue, logger: Logger): void {
  const { project, appId, principal, time, tokenTtl } = change;
  const name = configName(project, appId);
  const stored = durationJson(tokenTtl) ?? "the default";
  const configured = durationJson(registered);
  logger.warn(
    { name, stored, principal, changedAt: time, configured },
    `tokenTtl of ${name} is ${stored}, as ${principal} set it at ${time}; the ${configured} of the configuration file does not hold`,
  );
}
