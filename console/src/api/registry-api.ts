import { type RegistryClient, WaybillError } from "@waybill/client";
import { CHANGE_ANNOTATIONS } from "#console/model/figures/annotation.js";
import { CHANGE_TARGETS } from "#console/model/figures/target.js";
import { type AuditEntry, type AuditFilter, auditEntryOf } from "#console/model/registry/audit.js";
import { type Policy, policyOf } from "#console/model/registry/policy.js";
import {
  type Platform,
  type RegisteredApp,
  registeredAppOf,
} from "#console/model/registry/registered-app.js";
import { CHANGE_VIEWS } from "#console/model/view/saved-view.js";
import type { PolicyJson } from "#src/gen/waybill/registry/v1/registry_pb.js";
import { ApiPart, type ListPage } from "./api-part.js";
import { INCIDENTS_PERMISSION } from "./incidents-api.js";
import { INTEGRITY_PERMISSIONS } from "./integrity-api.js";

/** Permissions that decide which settings the page offers. */
export const SETTINGS_PERMISSIONS = [
  "firebase.clients.create",
  "resourcemanager.projects.getIamPolicy",
  "resourcemanager.projects.setIamPolicy",
] as const;

export type SettingsPermission = (typeof SETTINGS_PERMISSIONS)[number];

export interface AppRef {
  readonly project: string;
  readonly platform: Platform;
  readonly app: string;
}

/** App values that the page changes, with their etag. */
export interface AppState {
  readonly displayName: string;
  readonly isRemoved: boolean;
  readonly etag: string;
}

export interface NewApp {
  readonly platform: Platform;
  readonly displayName: string;
  /** Bundle id or package name; empty for a web app. */
  readonly namespace: string;
  /** Apple team id of an iOS app; empty if it is not known. */
  readonly teamId: string;
}

/** Maximum number of projects or apps on a page. */
const MAX_PAGE_SIZE = 1_000;
const AUDIT_PAGE_SIZE = 50;

/**
 * Reads and changes projects, apps, access and the audit log. Changes throw `WaybillError` `ABORTED` if the resource no
 * longer has the etag that was read.
 */
export class RegistryApi extends ApiPart<RegistryClient> {
  /**
   * Returns the display names of projects, by id. Projects without one are omitted. Null if the service does not respond or
   * rejects the call: the page works without names.
   */
  projectNames(signal: AbortSignal): Promise<ReadonlyMap<string, string> | null> {
    return optional(async () => {
      const projects = await this.client.listProjects({ pageSize: MAX_PAGE_SIZE, signal }).toArray();
      const named = projects.filter(({ displayName = "" }) => displayName !== "");
      return new Map(named.map(({ projectId = "", displayName = "" }) => [projectId, displayName]));
    });
  }

  /**
   * Returns names of registered apps, by id: the display name, or the id without one. Null as for
   * {@link projectNames}.
   */
  appNames(project: string, signal: AbortSignal): Promise<ReadonlyMap<string, string> | null> {
    return optional(async () => {
      const apps = await this.client.searchApps({ project, pageSize: MAX_PAGE_SIZE, signal }).toArray();
      return new Map(apps.map(registeredAppOf).map(({ id, title }) => [id, title]));
    });
  }

  /** Returns the viewer's permissions for changes on this page. Null as for {@link projectNames}. */
  permissions(project: string, signal: AbortSignal): Promise<ReadonlySet<string> | null> {
    return optional(async () => {
      const request = {
        project,
        permissions: [
          ...SETTINGS_PERMISSIONS,
          ...INTEGRITY_PERMISSIONS,
          INCIDENTS_PERMISSION,
          CHANGE_ANNOTATIONS,
          CHANGE_TARGETS,
          CHANGE_VIEWS,
        ],
        signal,
      };
      return new Set(await this.client.testIamPermissions(request));
    });
  }

  /** Lists all apps of a project, with removed ones. */
  async apps(project: string, signal: AbortSignal): Promise<readonly RegisteredApp[]> {
    const list = this.client.searchApps({ project, showDeleted: true, pageSize: MAX_PAGE_SIZE, signal });
    return (await this.admitted(list.toArray())).map(registeredAppOf);
  }

  async app(ref: AppRef, signal: AbortSignal): Promise<AppState> {
    const {
      displayName = "",
      state,
      etag = "",
    } = await this.admitted(this.client.getApp({ ...ref, signal }));
    return { displayName, isRemoved: state === "DELETED", etag };
  }

  async createApp(project: string, { platform, displayName, namespace, teamId }: NewApp): Promise<void> {
    const app = {
      displayName,
      ...(platform === "ios" && { bundleId: namespace, teamId }),
      ...(platform === "android" && { packageName: namespace }),
    };
    await this.admitted(this.client.createApp({ project, platform, app }));
  }

  async renameApp({ project, platform, app }: AppRef, displayName: string, etag: string): Promise<void> {
    const name = `projects/${project}/${platform}Apps/${app}`;
    const updateMask = "displayName";
    await this.admitted(this.client.updateApp({ platform, app: { name, displayName, etag }, updateMask }));
  }

  async removeApp(ref: AppRef, etag: string): Promise<void> {
    await this.admitted(this.client.removeApp({ ...ref, etag }));
  }

  async restoreApp(ref: AppRef, etag: string): Promise<void> {
    await this.admitted(this.client.undeleteApp({ ...ref, etag }));
  }

  async policy(project: string, signal: AbortSignal): Promise<Policy> {
    return policyOf(await this.admitted(this.client.getIamPolicy({ project, signal })));
  }

  async setPolicy(project: string, policy: PolicyJson): Promise<void> {
    await this.admitted(this.client.setIamPolicy({ project, policy }));
  }

  /** Returns a page of a project's audit log, newest first. */
  async auditPage(
    project: string,
    { principal, method }: AuditFilter,
    pageToken: string | undefined,
    signal: AbortSignal,
  ): Promise<ListPage<AuditEntry>> {
    const filter = { ...(principal !== "" && { principal }), ...(method !== "" && { method }) };
    const list = this.client.listAuditEntries({ project, ...filter, pageSize: AUDIT_PAGE_SIZE, signal });
    const { auditEntries = [], nextPageToken } = await this.admitted(list.readPage(pageToken));
    return { items: auditEntries.map(auditEntryOf), nextPageToken };
  }
}

/** Returns null if a read fails that the page can do without. */
async function optional<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof WaybillError) return null;
    throw error;
  }
}
