import type {
  DebugTokenJson,
  ExchangeCustomTokenRequestJson,
  ExchangeDebugTokenRequestJson,
} from "../gen/waybill/integrity/v1/integrity_pb.js";
import { type Call, type CallOptions, patch, post, read } from "./call.js";
import { pathOf } from "./resource-names.js";

/** Identifies an app in calls about app tokens. */
export interface TokenAppRef {
  /** Id or number of the project. */
  readonly project: string;
  /** Id of the app. */
  readonly app: string;
}

/** Request to list an app's debug tokens. */
export interface ListDebugTokensOptions extends TokenAppRef, CallOptions {
  /** Maximum number of debug tokens per page. */
  readonly pageSize?: number | undefined;
}

/** Request to create a debug token. */
export interface CreateDebugTokenOptions extends TokenAppRef, CallOptions {
  /** Display name. */
  readonly displayName: string;
  /** The secret: a random UUID, such as `crypto.randomUUID()` returns. */
  readonly token: string;
}

/** Debug token, identified by its name `projects/{project}/apps/{app}/debugTokens/{id}`. */
export type DebugTokenRef = Required<Pick<DebugTokenJson, "name">>;

/** Request to rename a debug token. */
export type UpdateDebugTokenOptions = Required<Pick<DebugTokenJson, "name" | "displayName">> & CallOptions;

/** Request to exchange a debug token for an app token. */
export type ExchangeDebugTokenOptions = TokenAppRef &
  Omit<ExchangeDebugTokenRequestJson, "app"> &
  Required<Pick<ExchangeDebugTokenRequestJson, "debugToken">> &
  CallOptions;

/** Request to exchange a custom token for an app token. */
export type ExchangeCustomTokenOptions = TokenAppRef &
  Omit<ExchangeCustomTokenRequestJson, "app"> &
  Required<Pick<ExchangeCustomTokenRequestJson, "customToken">> &
  CallOptions;

/** Request to consume an app token. */
export interface VerifyAppCheckTokenOptions extends CallOptions {
  /** Id or number of the project. */
  readonly project: string;
  readonly appCheckToken: string;
}

export function listDebugTokensCall(request: ListDebugTokensOptions, pageToken?: string): Call {
  const { pageSize } = request;
  return read(`${appPath(request)}/debugTokens`, { pageSize, pageToken });
}

/** Request to list an app's attestation failures. */
export interface ListAttestationFailuresOptions extends TokenAppRef, CallOptions {
  /** Maximum number of failures per page. */
  readonly pageSize?: number | undefined;
}

export function listAttestationFailuresCall(
  request: ListAttestationFailuresOptions,
  pageToken?: string,
): Call {
  const { pageSize } = request;
  return read(`${appPath(request)}/attestationFailures`, { pageSize, pageToken });
}

/** Request for token counts of an app. */
export interface ListAttestationTokenCountsOptions extends TokenAppRef, CallOptions {
  /** Maximum number of counts per page. */
  readonly pageSize?: number | undefined;
}

export function listAttestationTokenCountsCall(
  request: ListAttestationTokenCountsOptions,
  pageToken?: string,
): Call {
  const { pageSize } = request;
  return read(`${appPath(request)}/attestationTokenCounts`, { pageSize, pageToken });
}

export const getDebugTokenCall = ({ name }: DebugTokenRef): Call => read(debugTokenPath(name), {});

export function createDebugTokenCall({ displayName, token, ...app }: CreateDebugTokenOptions): Call {
  return post(`${appPath(app)}/debugTokens`, { displayName, token }, false);
}

/** Calls `UpdateDebugToken`. The call is never repeated, because a second attempt could undo another change. */
export const updateDebugTokenCall = ({ name, displayName }: UpdateDebugTokenOptions): Call =>
  patch(debugTokenPath(name), { displayName }, "displayName");

export const deleteDebugTokenCall = ({ name }: DebugTokenRef): Call => ({
  httpMethod: "DELETE",
  path: debugTokenPath(name),
  repeatable: false,
});

export function exchangeDebugTokenCall(request: ExchangeDebugTokenOptions): Call {
  const { debugToken, limitedUse } = request;
  return post(`${appPath(request)}:exchangeDebugToken`, { debugToken, limitedUse }, false);
}

export function exchangeCustomTokenCall(request: ExchangeCustomTokenOptions): Call {
  const { customToken, limitedUse, jti } = request;
  return post(`${appPath(request)}:exchangeCustomToken`, { customToken, limitedUse, jti }, false);
}

/**
 * Calls `VerifyAppCheckToken`. The call is never repeated, because a second attempt would find the token already
 * consumed.
 */
export function verifyAppCheckTokenCall({ project, appCheckToken }: VerifyAppCheckTokenOptions): Call {
  return post(
    `v1/${pathOf(`projects/${project}`, "projects/*")}:verifyAppCheckToken`,
    { appCheckToken },
    false,
  );
}

/** Returns an app's path, for calls about app tokens. */
export const appPath = ({ project, app }: TokenAppRef): string =>
  `v1/${pathOf(`projects/${project}/apps/${app}`, "projects/*/apps/*")}`;

const debugTokenPath = (name: string): string => `v1/${pathOf(name, "projects/*/apps/*/debugTokens/*")}`;
