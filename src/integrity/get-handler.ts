import { LRUCache } from "lru-cache";
import type { ProjectCaller } from "../api/caller.js";
import type { EncodedJson } from "../api/encoded-answer.js";
import type { CallContext } from "../api/service.js";
import type { AppAttestConfigs, StoredAppAttestConfig } from "../control/app-attest-configs.js";
import type { AppAttestConfig, GetAppAttestConfigRequest } from "../gen/waybill/integrity/v1/integrity_pb.js";
import { configJson, configMessage } from "./config-message.js";
import { configName, configNotFound } from "./config-name.js";

/** Maximum number of encoded answers in the cache. */
const MAX_CACHED = 10_000;

interface CachedAnswer {
  /** The object that the answer was made from; the store replaces it when the configuration changes. */
  readonly stored: StoredAppAttestConfig;
  readonly answer: EncodedJson;
}

/** Makes the handler of `GetAppAttestConfig` (specification 4.1, decisions: AppAttestConfig). */
export function getHandler(store: Pick<AppAttestConfigs, "find">) {
  const answers = new LRUCache<string, CachedAnswer>({ max: MAX_CACHED });
  return async (
    request: GetAppAttestConfigRequest,
    { caller, resource, format }: CallContext<ProjectCaller>,
  ): Promise<EncodedJson | AppAttestConfig> => {
    const appId = resource.idIn("apps");
    const stored = await store.find(caller.project.number, appId);
    if (stored === undefined) throw configNotFound(request.name);
    const name = configName(caller.project.number, appId);
    if (format !== "json") return configMessage(name, stored);
    const cached = answers.get(name);
    if (cached?.stored === stored) return cached.answer;
    const answer = configJson(name, stored);
    answers.set(name, { stored, answer });
    return answer;
  };
}
