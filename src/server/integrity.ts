import type { Logger } from "pino";
import type { Caller } from "../api/caller.js";
import type { ServiceImplementation } from "../api/service.js";
import type { OverriddenValue } from "../control/changed-configs.js";
import { CHANGES_FILE } from "../control/file/change-history.js";
import { durationJson } from "../control/file/change-record.js";
import type { JournalDamage } from "../control/file/read-journal.js";
import { IntegrityService } from "../gen/waybill/integrity/v1/integrity_pb.js";
import { batchGetHandler } from "../integrity/batch-get-handler.js";
import { configName } from "../integrity/config-name.js";
import { getHandler } from "../integrity/get-handler.js";
import { listAppsHandler } from "../integrity/list-apps-handler.js";
import { updateHandler } from "../integrity/update-handler.js";
import { tokenRoutes } from "./access/token-routes.js";
import { inProject } from "./call-scope.js";
import type { RunningService, ServerParts } from "./server-parts.js";

/**
 * Opens the app-integrity service over the registered configurations and their later changes.
 *
 * @throws StoreOpenError if the changes cannot be read.
 */
export async function openIntegrity(parts: ServerParts): Promise<RunningService> {
  const { config, pageTokens, control, metrics, logger, failures } = parts;
  const store = await control.openConfigs({
    projects: config.projects,
    onFailure: (error) => {
      metrics.storeErrors.inc({ caller: "configurations" });
      failures.failed({}, error, "the changes of configurations cannot be read");
    },
    onDamage: (damage) => tellDamage(damage, logger),
  });
  for (const overridden of store.overridden()) tellOverridden(overridden, logger);
  const implementation: ServiceImplementation<Caller, typeof IntegrityService> = {
    service: IntegrityService,
    handlers: {
      listApps: inProject(listAppsHandler(store, pageTokens)),
      getAppAttestConfig: inProject(getHandler(store)),
      batchGetAppAttestConfigs: inProject(batchGetHandler(store)),
      updateAppAttestConfig: inProject(updateHandler(store)),
    },
  };
  return {
    implementation,
    plainRoutes: tokenRoutes(parts),
    adminRoutes: [],
    ready: () => control.check(),
    // The server closes what keeps the configurations.
    close: async () => {},
  };
}

/** Most damaged lines that are logged individually, which keeps a damaged journal from flooding the log. */
const MAX_TOLD = 10;

function tellDamage(damage: readonly JournalDamage[], logger: Logger): void {
  const told = damage.slice(0, MAX_TOLD);
  for (const { lineNumber, problem } of told) {
    logger.warn(
      { file: CHANGES_FILE, lineNumber, problem },
      `line ${lineNumber} of ${CHANGES_FILE} ${problem}`,
    );
  }
  const others = damage.length - told.length;
  if (others > 0)
    logger.warn({ file: CHANGES_FILE, others }, `${others} more lines of ${CHANGES_FILE} are damaged`);
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
