import { create } from "@bufbuild/protobuf";
import { LRUCache } from "lru-cache";
import { ApiError, ParameterViolations } from "../api/api-error.js";
import type { ProjectCaller } from "../api/caller.js";
import type { EncodedJson } from "../api/encoded-response.js";
import type { CallContext } from "../api/service.js";
import {
  type AppAttestConfig,
  type BatchGetAppAttestConfigsRequest,
  type BatchGetAppAttestConfigsResponse,
  BatchGetAppAttestConfigsResponseSchema,
  type GetAppAttestConfigRequest,
} from "../gen/waybill/integrity/v1/integrity_pb.js";
import { at } from "../model/collections.js";
import type { Project } from "../model/names.js";
import type { AppAttestConfigs } from "./app-attest-configs.js";
import {
  CONFIG_NAME_FORM,
  configJson,
  configMessage,
  configName,
  configNotFound,
  parseConfigName,
  type StoredAppAttestConfig,
} from "./config-resource.js";

/** Maximum number of cached responses. */
const MAX_CACHED = 10_000;

interface CachedResponse {
  /** Configuration from which the response was built. The store replaces this object when the configuration changes. */
  readonly stored: StoredAppAttestConfig;
  readonly response: EncodedJson;
}

/** Creates the handler of `GetAppAttestConfig` (specification 4.1). */
export function getHandler(store: Pick<AppAttestConfigs, "find">) {
  const responses = new LRUCache<string, CachedResponse>({ max: MAX_CACHED });
  return async (
    request: GetAppAttestConfigRequest,
    { caller, resource, format }: CallContext<ProjectCaller>,
  ): Promise<EncodedJson | AppAttestConfig> => {
    const appId = resource.idIn("apps");
    const finding = store.find(caller.project.number, appId);
    const stored = finding instanceof Promise ? await finding : finding;
    if (stored === undefined) throw configNotFound(request.name);
    const name = configName(caller.project.number, appId);
    if (format !== "json") return configMessage(name, stored);
    const cached = responses.get(name);
    if (cached?.stored === stored) return cached.response;
    const response = configJson(name, stored);
    responses.set(name, { stored, response });
    return response;
  };
}

const MAX_NAMES = 100;

/** Creates the handler of `BatchGetAppAttestConfigs` (AIP-231). */
export function batchGetHandler(store: Pick<AppAttestConfigs, "find" | "listSet">) {
  return async (
    { names }: BatchGetAppAttestConfigsRequest,
    { caller: { project } }: CallContext<ProjectCaller>,
  ): Promise<BatchGetAppAttestConfigsResponse> => {
    const configs = names.length === 0 ? await allSet(project.number) : await each(names, project);
    return create(BatchGetAppAttestConfigsResponseSchema, { configs });
  };

  async function allSet(project: string): Promise<AppAttestConfig[]> {
    const set = await store.listSet(project);
    return set.map(({ appId, config }) => configMessage(configName(project, appId), config));
  }

  async function each(names: readonly string[], project: Project): Promise<AppAttestConfig[]> {
    const configs: AppAttestConfig[] = [];
    for (const [index, appId] of appIdsOf(names, project).entries()) {
      const stored = await store.find(project.number, appId);
      if (stored === undefined) throw configNotFound(at(names, index));
      configs.push(configMessage(configName(project.number, appId), stored));
    }
    return configs;
  }
}

/** @throws ApiError `INVALID_ARGUMENT` with a violation for each invalid name. */
function appIdsOf(names: readonly string[], project: Project): string[] {
  if (names.length > MAX_NAMES) {
    throw ApiError.invalidArgument(
      "TOO_MANY_NAMES",
      "names",
      `has ${names.length} names; the maximum in one request is ${MAX_NAMES}`,
    );
  }
  const violations = new ParameterViolations();
  const appIds = names.flatMap((text, index) => {
    const field = `names[${index}]`;
    const name = parseConfigName(text);
    if (name === undefined) violations.add("INVALID_RESOURCE_NAME", field, CONFIG_NAME_FORM);
    else if (name.project !== project.id && name.project !== project.number) {
      violations.add("PARENT_MISMATCH", field, "must be in the same project as parent");
    }
    return name === undefined ? [] : [name.appId];
  });
  violations.throwIfAny();
  return appIds;
}
