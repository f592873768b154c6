import { create } from "@bufbuild/protobuf";
import { ApiError, ParameterViolations } from "../api/api-error.js";
import type { ProjectCaller } from "../api/caller.js";
import type { CallContext } from "../api/service.js";
import type { AppAttestConfigs } from "../control/app-attest-configs.js";
import {
  type AppAttestConfig,
  type BatchGetAppAttestConfigsRequest,
  type BatchGetAppAttestConfigsResponse,
  BatchGetAppAttestConfigsResponseSchema,
} from "../gen/waybill/integrity/v1/integrity_pb.js";
import type { Project } from "../model/names.js";
import { configMessage } from "./config-message.js";
import { CONFIG_NAME_FORM, configName, configNotFound, parseConfigName } from "./config-name.js";

const MAX_NAMES = 100;

/** Makes the handler of `BatchGetAppAttestConfigs` (AIP-231). */
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
      if (stored === undefined) throw configNotFound(names[index] ?? "");
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
      `has ${names.length} names; at most ${MAX_NAMES} are possible in one request`,
    );
  }
  const violations = new ParameterViolations();
  const appIds = names.map((text, index) => {
    const field = `names[${index}]`;
    const name = parseConfigName(text);
    if (name === undefined) violations.add("INVALID_RESOURCE_NAME", field, CONFIG_NAME_FORM);
    else if (name.project !== project.id && name.project !== project.number) {
      violations.add("PARENT_MISMATCH", field, "must be of the project of parent");
    }
    return name?.appId ?? "";
  });
  violations.throwIfAny();
  return appIds;
}
