import { WaybillError } from "@waybill/client";
import { type AttestedKey, attestedKeyOf } from "#console/model/integrity/attested-key.js";
import { type DebugToken, debugTokenOf } from "#console/model/integrity/debug-token.js";
import { type Failure, failureOf } from "#console/model/integrity/failure.js";
import { type TokenCount, tokenCountOf } from "#console/model/integrity/token-counts.js";
import type { AppAttestConfigJson } from "#src/gen/waybill/integrity/v1/integrity_pb.js";
import { ApiPart, type ListPage } from "./api-part.js";

/** An App Check app with its attestation configuration. */
export interface AttestedApp {
  readonly appId: string;
  readonly config: AppAttestConfigJson;
}

/** Names a registered app. */
export interface AttestedAppRef {
  readonly project: string;
  readonly app: string;
}

/** Permissions that decide which changes the page offers. */
export const INTEGRITY_PERMISSIONS = [
  "firebaseappcheck.appAttestConfig.update",
  "firebaseappcheck.attestedKeys.delete",
  "firebaseappcheck.debugTokens.update",
] as const;

export type IntegrityPermission = (typeof INTEGRITY_PERMISSIONS)[number];

/** Maximum number of names in a `batchGet` request. */
const MAX_NAMES = 100;
/** Maximum number of items on a page. */
const MAX_PAGE_SIZE = 1_000;
/** Number of keys or failures that the page shows at first. */
const FEW = 20;

/** Reads and changes attestation configurations, debug tokens and attested keys. Every method throws `WaybillError`. */
export class IntegrityApi extends ApiPart {
  /** Lists all App Check apps of a project with their attestation configurations. */
  async apps(project: string, signal?: AbortSignal): Promise<readonly AttestedApp[]> {
    const list = this.client.listApps({ project, pageSize: MAX_PAGE_SIZE, signal });
    const appIds = (await this.admitted(list.toArray())).map(({ appId = "" }) => appId);
    const attested: AttestedApp[] = [];
    for (let start = 0; start < appIds.length; start += MAX_NAMES) {
      const apps = appIds.slice(start, start + MAX_NAMES);
      const configs = await this.admitted(this.client.batchGetAppAttestConfigs({ project, apps, signal }));
      apps.forEach((appId, index) => {
        attested.push({ appId, config: configs[index] ?? {} });
      });
    }
    return attested;
  }

  config(ref: AttestedAppRef, signal: AbortSignal): Promise<AppAttestConfigJson> {
    return this.admitted(this.client.getAppAttestConfig({ ...ref, signal }));
  }

  /** Changes a token lifetime. Throws `ABORTED` if the configuration no longer has the etag that was read. */
  async setTokenTtl({ name = "", etag = "" }: AppAttestConfigJson, tokenTtl: string): Promise<void> {
    const appAttestConfig = { name, tokenTtl, ...(etag !== "" && { etag }) };
    await this.admitted(this.client.updateAppAttestConfig({ appAttestConfig, updateMask: "tokenTtl" }));
  }

  /** Lists an app's numbers of tokens in the last 90 days. */
  async tokenCounts(app: AttestedAppRef, signal: AbortSignal): Promise<readonly TokenCount[]> {
    const request = { ...app, pageSize: MAX_PAGE_SIZE, signal };
    const list = this.client.attestation.listAttestationTokenCounts(request);
    return (await this.admitted(list.toArray())).map(tokenCountOf);
  }

  /** Returns a page of failures, latest first. */
  async failures(
    app: AttestedAppRef,
    pageToken: string | undefined,
    signal: AbortSignal,
  ): Promise<ListPage<Failure>> {
    const list = this.client.attestation.listAttestationFailures({ ...app, pageSize: FEW, signal });
    const { attestationFailures = [], nextPageToken } = await this.admitted(list.readPage(pageToken));
    return { items: attestationFailures.map(failureOf), nextPageToken };
  }

  async debugTokens(app: AttestedAppRef, signal: AbortSignal): Promise<readonly DebugToken[]> {
    const list = this.client.attestation.listDebugTokens({ ...app, pageSize: MAX_PAGE_SIZE, signal });
    return (await this.admitted(list.toArray())).map(debugTokenOf);
  }

  async createDebugToken(app: AttestedAppRef, displayName: string, token: string): Promise<void> {
    await this.admitted(this.client.attestation.createDebugToken({ ...app, displayName, token }));
  }

  async deleteDebugToken({ name }: DebugToken): Promise<void> {
    await this.admitted(this.client.attestation.deleteDebugToken({ name }));
  }

  /** Returns a page of attested keys, by id. */
  async keys(
    app: AttestedAppRef,
    pageToken: string | undefined,
    signal: AbortSignal,
  ): Promise<ListPage<AttestedKey>> {
    const list = this.client.attestation.listAttestedKeys({ ...app, pageSize: FEW, signal });
    const { attestedKeys = [], nextPageToken } = await this.admitted(list.readPage(pageToken));
    return { items: attestedKeys.map(attestedKeyOf), nextPageToken };
  }

  /** Finds a key by its whole id, because an app can have millions. */
  async keyWithId(
    { project, app }: AttestedAppRef,
    id: string,
    signal: AbortSignal,
  ): Promise<ListPage<AttestedKey>> {
    const name = `projects/${project}/apps/${app}/attestedKeys/${id}`;
    try {
      const key = await this.admitted(this.client.attestation.getAttestedKey({ name, signal }));
      return { items: [attestedKeyOf(key)], nextPageToken: undefined };
    } catch (error) {
      if (error instanceof WaybillError && error.code === "NOT_FOUND")
        return { items: [], nextPageToken: undefined };
      throw error;
    }
  }

  async revokeKey({ name }: AttestedKey): Promise<void> {
    await this.admitted(this.client.attestation.deleteAttestedKey({ name }));
  }
}
