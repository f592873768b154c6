import type { Duration } from "@bufbuild/protobuf/wkt";
import { ApiError } from "../api/api-error.js";
import type { ProjectCaller } from "../api/caller.js";
import type { CallContext } from "../api/service.js";
import type { AppAttestConfigChange, AppAttestConfigs } from "../control/app-attest-configs.js";
import type { AppAttestConfigValues } from "../control/project-registry.js";
import { isTokenTtl } from "../control/project-registry.js";
import type {
  AppAttestConfig,
  UpdateAppAttestConfigRequest,
} from "../gen/waybill/integrity/v1/integrity_pb.js";
import { configMessage } from "./config-message.js";
import { configName, configNotFound } from "./config-name.js";
import { checkEtag } from "./etag-precondition.js";
import { checkUpdateMask } from "./update-mask.js";

/** Makes the handler of `UpdateAppAttestConfig` (AIP-134). */
export function updateHandler(store: Pick<AppAttestConfigs, "change">) {
  return async (
    { appAttestConfig, updateMask }: UpdateAppAttestConfigRequest,
    { caller, resource, preconditions, signal }: CallContext<ProjectCaller>,
  ): Promise<AppAttestConfig> => {
    const { name: requested = "", tokenTtl, etag = "" } = appAttestConfig ?? {};
    const appId = resource.idIn("apps");
    const mask = checkUpdateMask(updateMask);
    const values = valuesOf(tokenTtl);
    const name = configName(caller.project.number, appId);
    const change: AppAttestConfigChange = {
      principal: caller.principal.name,
      updateMask: mask,
      valuesAfter: (current) => {
        signal.throwIfAborted();
        checkEtag(name, current, { etag, preconditions });
        return values;
      },
    };
    const stored = await store.change(caller.project.number, appId, change, signal);
    if (stored === undefined) throw configNotFound(requested);
    return configMessage(name, stored);
  };
}

/** Returns the values that the change sets; a missing one returns to its default. */
function valuesOf(tokenTtl: Duration | undefined): AppAttestConfigValues {
  if (tokenTtl === undefined) return {};
  if (isTokenTtl(tokenTtl)) return { tokenTtl: { seconds: tokenTtl.seconds, nanos: tokenTtl.nanos } };
  const description = 'must be from 30 minutes ("1800s") to 7 days ("604800s")';
  throw ApiError.invalidArgument("INVALID_TOKEN_TTL", "tokenTtl", description);
}
