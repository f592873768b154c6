import {
  type AppConfigsByPlatform,
  type AppPlatform,
  type AppsByPlatform,
  type CreateAppOptions,
  createAppCall,
  getAppCall,
  getAppConfigCall,
  type ListRegisteredAppsOptions,
  listRegisteredAppsCall,
  type RegisteredAppRef,
  type RemoveAppOptions,
  removeAppCall,
  type SearchAppsOptions,
  searchAppsCall,
  type UndeleteAppOptions,
  type UpdateAppOptions,
  undeleteAppCall,
  updateAppCall,
} from "../calls/app-calls.js";
import type { Call, CallOptions } from "../calls/call.js";
import {
  addFirebaseCall,
  type CreateProjectOptions,
  createProjectCall,
  deleteProjectCall,
  getIamPolicyCall,
  getOperationCall,
  getProjectCall,
  type ListAuditEntriesOptions,
  type ListRegistryProjectsOptions,
  listAuditEntriesCall,
  listRegistryProjectsCall,
  type ProjectRef,
  type SetIamPolicyOptions,
  setIamPolicyCall,
  type TestIamPermissionsOptions,
  testIamPermissionsCall,
  type UpdateProjectOptions,
  undeleteProjectCall,
  updateProjectCall,
} from "../calls/registry-calls.js";
import type {
  AuditEntryJson,
  CloudProjectJson,
  FirebaseAppInfoJson,
  ListAuditEntriesResponseJson,
  ListProjectsResponseJson,
  OperationJson,
  PolicyJson,
  ProjectJson,
  SearchAppsResponseJson,
  TestIamPermissionsResponseJson,
} from "../gen/waybill/registry/v1/registry_pb.js";
import { type ListPage, listCalls, type PagedList } from "../paged-list.js";
import type { Transport } from "../transport.js";

/** A page of apps on one platform. */
export interface AppPage<P extends AppPlatform> extends ListPage {
  readonly apps?: readonly AppsByPlatform[P][];
}

/** A list of audit entries, newest first. */
export type AuditEntryList = PagedList<AuditEntryJson, ListAuditEntriesResponseJson>;

/**
 * Operations of the registry service. Get it from a {@link WaybillClient} with a `registryUrl`. Changes of projects, apps
 * and bindings in the configuration file fail with `FAILED_PRECONDITION` and the reason `PROVISIONED_BY_FILE`.
 *
 * @example
 * const client = new WaybillClient({ registryUrl: "http://127.0.0.1:8082", token: "…" });
 * const { projectNumber } = await client.registry.createProject({ projectId: "new-shop" });
 */
export class RegistryClient {
  readonly #transport: () => Transport;

  /** @param transport returns the service's transport. Throws a TypeError if the client has no address for it. */
  constructor(transport: () => Transport) {
    this.#transport = transport;
  }

  /**
   * Lists all projects on which the caller has a role, sorted by number (`ListProjects`).
   *
   * @example
   * for await (const { projectId, displayName } of client.registry.listProjects()) console.log(projectId, displayName);
   */
  listProjects(request: ListRegistryProjectsOptions = {}): PagedList<ProjectJson, ListProjectsResponseJson> {
    return listCalls(this.#transport, listRegistryProjectsCall, request, ({ results }) => results);
  }

  /** Returns a project (`GetProject`). */
  async getProject(request: ProjectRef & CallOptions): Promise<ProjectJson> {
    return this.#call(getProjectCall(request), request);
  }

  /**
   * Creates a project, and makes the caller its owner (`CreateProject`).
   *
   * @throws WaybillError `ALREADY_EXISTS` if another project has the id. A deleted project keeps its id until it is
   * purged.
   */
  async createProject(request: CreateProjectOptions): Promise<CloudProjectJson> {
    return responseOf(await this.#call(createProjectCall(request), request));
  }

  /** Returns the project without changing it, because every project already has all services (`AddFirebase`). */
  async addFirebase(request: ProjectRef & CallOptions): Promise<ProjectJson> {
    return responseOf(await this.#call(addFirebaseCall(request), request));
  }

  /**
   * Changes a project's display name (`UpdateProject`). Include its `etag` to protect the change.
   *
   * @throws WaybillError `ABORTED` if the project no longer has this `etag`.
   * @example
   * const project = { name: "projects/new-shop", displayName: "New shop" };
   * await client.registry.updateProject({ project, updateMask: "displayName" });
   */
  async updateProject(request: UpdateProjectOptions): Promise<ProjectJson> {
    return this.#call(updateProjectCall(request), request);
  }

  /** Deletes a project (`DeleteProject`). All access to it ends immediately. You can restore it for 30 days. */
  async deleteProject(request: ProjectRef & CallOptions): Promise<void> {
    await this.#call(deleteProjectCall(request), request);
  }

  /** Restores a deleted project (`UndeleteProject`). */
  async undeleteProject(request: ProjectRef & CallOptions): Promise<void> {
    await this.#call(undeleteProjectCall(request), request);
  }

  /**
   * Returns a long-running operation (`GetOperation`). You rarely need this: the other methods wait for their operation
   * to complete.
   */
  async getOperation(request: { readonly name: string } & CallOptions): Promise<OperationJson> {
    return this.#call(getOperationCall(request), request);
  }

  /**
   * Lists a project's registered apps on all platforms, sorted by app id in byte order (`SearchApps`).
   *
   * @example
   * for await (const { appId, platform, namespace } of client.registry.searchApps({ project: "shop" })) {
   *   console.log(appId, platform, namespace);
   * }
   */
  searchApps(request: SearchAppsOptions): PagedList<FirebaseAppInfoJson, SearchAppsResponseJson> {
    return listCalls(this.#transport, searchAppsCall, request, ({ apps }) => apps);
  }

  /**
   * Lists a project's registered apps on one platform, sorted by app id in byte order (`ListIosApps`,
   * `ListAndroidApps`, `ListWebApps`).
   */
  listApps<P extends AppPlatform>(
    request: ListRegisteredAppsOptions<P>,
  ): PagedList<AppsByPlatform[P], AppPage<P>> {
    return listCalls(this.#transport, listRegisteredAppsCall, request, ({ apps }: AppPage<P>) => apps);
  }

  /** Returns a registered app (`GetIosApp`, `GetAndroidApp`, `GetWebApp`). */
  async getApp<P extends AppPlatform>(
    request: RegisteredAppRef<P> & CallOptions,
  ): Promise<AppsByPlatform[P]> {
    return this.#call(getAppCall(request), request);
  }

  /**
   * Returns an app's config file for its build, without API keys (`GetIosAppConfig`, `GetAndroidAppConfig`,
   * `GetWebAppConfig`).
   *
   * @throws WaybillError `FAILED_PRECONDITION` if the app has no bundle id or package name.
   */
  async getAppConfig<P extends AppPlatform>(
    request: RegisteredAppRef<P> & CallOptions,
  ): Promise<AppConfigsByPlatform[P]> {
    return this.#call(getAppConfigCall(request), request);
  }

  /**
   * Registers an app (`CreateIosApp`, `CreateAndroidApp`, `CreateWebApp`). The server assigns its id.
   *
   * @example
   * const app = { displayName: "Shop", bundleId: "com.example.shop", teamId: "A1B2C3D4E5" };
   * const { appId } = await client.registry.createApp({ project: "shop", platform: "ios", app });
   */
  async createApp<P extends AppPlatform>(request: CreateAppOptions<P>): Promise<AppsByPlatform[P]> {
    return responseOf(await this.#call(createAppCall(request), request));
  }

  /**
   * Changes a registered app (`UpdateIosApp`, `UpdateAndroidApp`, `UpdateWebApp`). Include the app's `etag`, so that
   * the call fails if someone else has changed the app.
   *
   * @throws WaybillError `ABORTED` if the app no longer has this `etag`.
   */
  async updateApp<P extends AppPlatform>(request: UpdateAppOptions<P>): Promise<AppsByPlatform[P]> {
    return this.#call(updateAppCall(request), request);
  }

  /**
   * Removes a registered app (`RemoveIosApp`, `RemoveAndroidApp`, `RemoveWebApp`). You can restore it for 30 days,
   * unless the request is `immediate`.
   */
  async removeApp(request: RemoveAppOptions): Promise<void> {
    await this.#call(removeAppCall(request), request);
  }

  /** Restores a removed app (`UndeleteIosApp`, `UndeleteAndroidApp`, `UndeleteWebApp`). */
  async undeleteApp(request: UndeleteAppOptions): Promise<void> {
    await this.#call(undeleteAppCall(request), request);
  }

  /** Returns a project's access policy, including bindings from the configuration file (`GetIamPolicy`). */
  async getIamPolicy(request: ProjectRef & CallOptions): Promise<PolicyJson> {
    return this.#call(getIamPolicyCall(request), request);
  }

  /**
   * Replaces a project's access policy (`SetIamPolicy`). It applies in all processes within one second. Include the
   * `etag` that you read, so that no concurrent change is lost.
   *
   * @throws WaybillError `ABORTED` if the policy no longer has this `etag`; `FAILED_PRECONDITION` if nobody could restore
   *   access afterwards.
   * @example
   * const { bindings = [], ...policy } = await client.registry.getIamPolicy({ project: "shop" });
   * bindings.push({ role: "roles/viewer", members: ["user:ada@example.com"] });
   * await client.registry.setIamPolicy({ project: "shop", policy: { ...policy, bindings } });
   */
  async setIamPolicy(request: SetIamPolicyOptions): Promise<PolicyJson> {
    return this.#call(setIamPolicyCall(request), request);
  }

  /** Returns the requested permissions that the caller has on a project (`TestIamPermissions`). */
  async testIamPermissions(request: TestIamPermissionsOptions): Promise<string[]> {
    const { permissions = [] } = await this.#call<TestIamPermissionsResponseJson>(
      testIamPermissionsCall(request),
      request,
    );
    return permissions;
  }

  /**
   * Lists changes of projects, apps, policies and configurations, newest first (`ListAuditEntries`). The project `-`
   * stands for all projects that the caller owns (AIP-159).
   *
   * @example
   * const entries = client.registry.listAuditEntries({ project: "-", method: "SetIamPolicy" });
   * for await (const { time, principal, resource } of entries) console.log(time, principal, resource);
   */
  listAuditEntries(request: ListAuditEntriesOptions): AuditEntryList {
    return listCalls(this.#transport, listAuditEntriesCall, request, ({ auditEntries }) => auditEntries);
  }

  async #call<R extends object>(call: Call, options: CallOptions): Promise<R> {
    return this.#transport().call(call, options);
  }
}

/** Returns the resource in a complete operation's response. */
function responseOf<R extends object>({ response }: OperationJson): R {
  const { "@type": _type, ...resource } = response ?? {};
  return resource as R;
}
