import type { UpdateAppAttestConfigRequestJson } from "../gen/waybill/integrity/v1/integrity_pb.js";
import type { Call, CallOptions } from "./call.js";
import { type AppAttestConfigRef, appAttestConfigName, nameOf, pathOf } from "./resource-names.js";

/** Request for a project's registered apps. */
export interface ListAppsOptions extends CallOptions {
  /** Id or number of the project. */
  readonly project: string;
  /** Maximum number of apps per page, up to 1,000; 100 by default. */
  readonly pageSize?: number | undefined;
}

/** Request for several app-attestation configurations of a project. */
export interface BatchGetAppAttestConfigsOptions extends CallOptions {
  /** Id or number of the project. */
  readonly project: string;
  /** App ids, at most 100. If omitted, all apps with a configuration that has been set. */
  readonly apps?: readonly string[] | undefined;
}

/** Change of an app-attestation configuration, identified by its `name`. */
export type UpdateAppAttestConfigOptions = Required<UpdateAppAttestConfigRequestJson> & CallOptions;

/** Calls `ListApps` for one page. */
export function listAppsCall({ project, pageSize }: ListAppsOptions, pageToken?: string): Call {
  return {
    httpMethod: "GET",
    path: `v1/${pathOf(`projects/${project}`, "projects/*")}/apps`,
    query: { pageSize, pageToken },
    repeatable: true,
  };
}

/** Calls `GetAppAttestConfig`. */
export function getAppAttestConfigCall(ref: AppAttestConfigRef): Call {
  return { httpMethod: "GET", path: configPath(nameOf(ref)), repeatable: true };
}

/** Calls `BatchGetAppAttestConfigs`. */
export function batchGetAppAttestConfigsCall({ project, apps }: BatchGetAppAttestConfigsOptions): Call {
  return {
    httpMethod: "GET",
    path: `v1/${pathOf(`projects/${project}`, "projects/*")}/apps/-/appAttestConfig:batchGet`,
    query: { names: apps?.map((app) => appAttestConfigName(project, app)) },
    repeatable: true,
  };
}

/**
 * Calls `UpdateAppAttestConfig`. With an etag (AIP-154), the call is repeatable, because the server rejects it once the
 * configuration has changed. Otherwise, a repetition could undo another change.
 */
export function updateAppAttestConfigCall(request: UpdateAppAttestConfigOptions): Call {
  const { appAttestConfig, updateMask } = request;
  return {
    httpMethod: "PATCH",
    path: configPath(appAttestConfig.name ?? ""),
    query: { updateMask },
    body: { type: "application/json", content: JSON.stringify(appAttestConfig) },
    repeatable: (appAttestConfig.etag ?? "") !== "",
  };
}

const configPath = (name: string): string => `v1/${pathOf(name, "projects/*/apps/*/appAttestConfig")}`;
