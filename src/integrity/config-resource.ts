import { createHash } from "node:crypto";
import { create, toJson, toJsonString } from "@bufbuild/protobuf";
import { DurationSchema } from "@bufbuild/protobuf/wkt";
import type { ApiError } from "../api/api-error.js";
import { EncodedJson } from "../api/encoded-response.js";
import { resourceNotFound } from "../api/errors.js";
import { type AppAttestConfig, AppAttestConfigSchema } from "../gen/waybill/integrity/v1/integrity_pb.js";
import { type AppAttestConfigValues, DEFAULT_TOKEN_TTL_SECONDS, type TokenTtl } from "../model/token-ttl.js";

export interface StoredAppAttestConfig extends AppAttestConfigValues {
  /** Number of changes so far. Absent before the first change, while the values in the registry apply. */
  readonly revision?: number | undefined;
}

/** Parsed resource name of an App Attest configuration. */
export interface ConfigName {
  /** Project id or number (AIP-2510). */
  readonly project: string;
  readonly appId: string;
}

/** Describes a valid resource name, in violations. */
export const CONFIG_NAME_FORM = "must be projects/{project_number}/apps/{app_id}/appAttestConfig";

/** Parses a resource name. @returns `undefined` if the name is malformed. */
export function parseConfigName(text: string): ConfigName | undefined {
  const [projects, project = "", apps, appId = "", config, ...more] = text.split("/");
  const isName =
    projects === "projects" &&
    project !== "" &&
    apps === "apps" &&
    appId !== "" &&
    config === "appAttestConfig" &&
    more.length === 0;
  return isName ? { project, appId } : undefined;
}

/** Formats the resource name for responses, with the project number. */
export const configName = (projectNumber: string, appId: string): string =>
  `projects/${projectNumber}/apps/${appId}/appAttestConfig`;

/** Returns the error for an app that is not registered (404). */
export const configNotFound = (name: string): ApiError =>
  resourceNotFound(name, "Check the project and the app id.");

const DEFAULT_TOKEN_TTL: TokenTtl = { seconds: BigInt(DEFAULT_TOKEN_TTL_SECONDS), nanos: 0 };

export function configMessage(name: string, stored: StoredAppAttestConfig): AppAttestConfig {
  return create(AppAttestConfigSchema, {
    name,
    tokenTtl: create(DurationSchema, stored.tokenTtl ?? DEFAULT_TOKEN_TTL),
    etag: etagOf(name, stored) ?? "",
  });
}

/** Encodes {@link configMessage} as the JSON body of a GET. */
export function configJson(name: string, stored: StoredAppAttestConfig): EncodedJson {
  return new EncodedJson(Buffer.from(toJsonString(AppAttestConfigSchema, configMessage(name, stored))));
}

/** Returns a strong, quoted etag for a resource state (AIP-154); `undefined` before the first change. */
export function etagOf(name: string, { revision, tokenTtl }: StoredAppAttestConfig): string | undefined {
  if (revision === undefined) return undefined;
  const state = `${name}\n${revision}\n${tokenTtl?.seconds}.${tokenTtl?.nanos}`;
  return `"${createHash("sha256").update(state).digest("base64url").slice(0, 22)}"`;
}

/** Formats a duration as ProtoJSON, such as `3600s`; null if there is none. */
export function durationJson(ttl: TokenTtl | undefined): string | null {
  return ttl === undefined ? null : toJson(DurationSchema, create(DurationSchema, ttl));
}
