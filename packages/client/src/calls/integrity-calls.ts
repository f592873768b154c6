import type { UpdateAppAttestConfigRequestJson } from "../gen/waybill/integrity/v1/integrity_pb.js";
import { type Call, type CallOptions, patch, read } from "./call.js";
import { type AppAttestConfigRef, appAttestConfigName, nameOf, pathOf } from "./resource-names.js";

/** Request to list a project's registered apps. */
export interface ListAppsOptions extends CallOptions {
  /** Id or number of the project. */
  readonly project: string;
  /** Maximum number of apps per page, up to 1,000; 100 by default. */
  readonly pageSize?: number | undefined;
}

/** Request for the App Attest configurations of several apps in a project. */
export interface BatchGetAppAttestConfigsOptions extends CallOptions {
  /** Id or number of the project. */
  readonly project: string;
  /** App ids, at most 100. If omitted, the result has all configurations that have been set. */
  readonly apps?: readonly string[] | undefined;
}

/** Request to change an App Attest configuration, identified by `appAttestConfig.name`. */
export type UpdateAppAttestConfigOptions = Required<UpdateAppAttestConfigRequestJson> & CallOptions;

export function listAppsCall({ project, pageSize }: ListAppsOptions, pageToken?: string): Call {
  return read(`v1/${pathOf(`projects/${project}`, "projects/*")}/apps`, { pageSize, pageToken });
}

export function getAppAttestConfigCall(ref: AppAttestConfigRef): Call {
  return read(configPath(nameOf(ref)), {});
}

export function batchGetAppAttestConfigsCall({ project, apps }: BatchGetAppAttestConfigsOptions): Call {
  const path = `v1/${pathOf(`projects/${project}`, "projects/*")}/apps/-/appAttestConfig:batchGet`;
  return read(path, { names: apps?.map((app) => appAttestConfigName(project, app)) });
}

/**
 * Calls `UpdateAppAttestConfig`. With an etag (AIP-154), the call may be repeated, because the server rejects the etag
 * once the configuration has changed. Without an etag, a repetition could undo another caller's change.
 */
export function updateAppAttestConfigCall(request: UpdateAppAttestConfigOptions): Call {
  const { appAttestConfig, updateMask } = request;
  return patch(configPath(appAttestConfig.name), appAttestConfig, updateMask);
}

const configPath = (name: string | undefined): string =>
  `v1/${pathOf(name, "projects/*/apps/*/appAttestConfig")}`;
