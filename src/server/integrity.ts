import type { Logger } from "pino";
import type { Caller } from "../api/caller.js";
import type { ServiceImplementation } from "../api/service.js";
import { IntegrityService } from "../gen/waybill/integrity/v1/integrity_pb.js";
import { AppAttestConfigs, durationJson, type OverriddenValue } from "../integrity/app-attest-configs.js";
import { configName } from "../integrity/config-resource.js";
import { batchGetHandler, getHandler } from "../integrity/get-handlers.js";
import { listAppsHandler } from "../integrity/list-apps-handler.js";
import { updateHandler } from "../integrity/update-handler.js";
import { tokenRoutes } from "./access/token-routes.js";
import { inProject } from "./call-scope.js";
import type { RunningService, ServerParts } from "./server-parts.js";

/**
 * Opens the app-integrity service with the registered configurations and their changes.
 *
 * @throws StoreUnavailableError if the changes cannot be read.
 */
export async function openIntegrity(parts: ServerParts): Promise<RunningService> {
  const { registry, pageTokens, control, logger } = parts;
  const configs = await AppAttestConfigs.open({ records: control.records, registry });
  for (const overridden of await configs.overridden()) warnOfOverridden(overridden, logger);
  const implementation: ServiceImplementation<Caller, typeof IntegrityService> = {
    service: IntegrityService,
    handlers: {
      listApps: inProject(listAppsHandler(registry, pageTokens)),
      getAppAttestConfig: inProject(getHandler(configs)),
      batchGetAppAttestConfigs: inProject(batchGetHandler(configs)),
      updateAppAttestConfig: inProject(updateHandler(configs)),
    },
  };
  return {
    implementation,
    plainRoutes: tokenRoutes(parts),
    adminRoutes: [],
    ready: () => control.check(),
    // The server closes the control data.
    close: async () => {},
  };
}

function warnOfOverridden({ registered, change }: OverriddenValue, logger: Logger): void {
  const { project, appId, principal, time, tokenTtl } = change;
  const name = configName(project, appId);
  const stored = tokenTtl ?? "the default";
  const configured = durationJson(registered);
  logger.warn(
    { name, stored, principal, changedAt: time, configured },
    `tokenTtl of ${name} is ${stored}, as ${principal} set it at ${time}; this overrides the ${configured} in the config file`,
  );
}
