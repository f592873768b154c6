import type {
  AndroidAppJson,
  AppConfigFileJson,
  IosAppJson,
  WebAppConfigJson,
  WebAppJson,
} from "../gen/waybill/registry/v1/registry_pb.js";
import { type Call, type CallOptions, hasEtag, patch, post, read } from "./call.js";
import { pathOf } from "./resource-names.js";

/** Type of the app resource on each platform. */
export interface AppsByPlatform {
  readonly ios: IosAppJson;
  readonly android: AndroidAppJson;
  readonly web: WebAppJson;
}

/** Type of the app config on each platform. */
export interface AppConfigsByPlatform {
  readonly ios: AppConfigFileJson;
  readonly android: AppConfigFileJson;
  readonly web: WebAppConfigJson;
}

/** Platform of a registered app. */
export type AppPlatform = keyof AppsByPlatform;

/** Identifies a registered app. */
export interface RegisteredAppRef<P extends AppPlatform = AppPlatform> {
  /** Id or number of the project. Use `-` if you know only the app id. */
  readonly project: string;
  readonly platform: P;
  /** Id of the app. */
  readonly app: string;
}

/** Request to list a project's registered apps. */
export interface SearchAppsOptions extends CallOptions {
  /** Id or number of the project. */
  readonly project: string;
  /** True to include removed apps that can still be restored. */
  readonly showDeleted?: boolean | undefined;
  /** Maximum number of apps per page, up to 1,000; 100 by default. */
  readonly pageSize?: number | undefined;
}

/** Request to list a project's registered apps on one platform. */
export interface ListRegisteredAppsOptions<P extends AppPlatform = AppPlatform> extends SearchAppsOptions {
  readonly platform: P;
}

/** Request to register an app. The server assigns the app id. */
export interface CreateAppOptions<P extends AppPlatform = AppPlatform> extends CallOptions {
  /** Id or number of the project. */
  readonly project: string;
  readonly platform: P;
  /** Fields of the app, such as `bundleId` or `packageName`. */
  readonly app: AppsByPlatform[P];
}

/** Request to change an app, identified by `app.name`. */
export interface UpdateAppOptions<P extends AppPlatform = AppPlatform> extends CallOptions {
  readonly platform: P;
  /** The app's `name` and its new field values. */
  readonly app: AppsByPlatform[P];
  /** Fields to change, such as `displayName,teamId`. */
  readonly updateMask: string;
}

/** Request to remove an app. */
export interface RemoveAppOptions extends RegisteredAppRef, CallOptions {
  /** If set, the call fails with `ABORTED` unless this is the current etag. */
  readonly etag?: string | undefined;
  /** True to remove the app permanently. It can then never be restored. */
  readonly immediate?: boolean | undefined;
}

/** Request to restore a removed app. */
export interface UndeleteAppOptions extends RegisteredAppRef, CallOptions {
  /** If set, the call fails with `ABORTED` unless this is the current etag. */
  readonly etag?: string | undefined;
}

const COLLECTIONS: Readonly<Record<AppPlatform, string>> = {
  ios: "iosApps",
  android: "androidApps",
  web: "webApps",
};

export function searchAppsCall(request: SearchAppsOptions, pageToken?: string): Call {
  return read(`${projectPath(request.project)}:searchApps`, listQuery(request, pageToken));
}

/** Calls `ListIosApps`, `ListAndroidApps` or `ListWebApps` for one page. */
export function listRegisteredAppsCall(request: ListRegisteredAppsOptions, pageToken?: string): Call {
  return read(collectionPath(request), listQuery(request, pageToken));
}

/** Calls `GetIosApp`, `GetAndroidApp` or `GetWebApp`. */
export const getAppCall = (ref: RegisteredAppRef): Call => read(appPath(ref), {});

/** Calls `GetIosAppConfig`, `GetAndroidAppConfig` or `GetWebAppConfig`. */
export const getAppConfigCall = (ref: RegisteredAppRef): Call => read(`${appPath(ref)}/config`, {});

/**
 * Calls `CreateIosApp`, `CreateAndroidApp` or `CreateWebApp`. The call is never repeated, because each one registers
 * another app.
 */
export function createAppCall(request: CreateAppOptions): Call {
  return post(collectionPath(request), request.app, false);
}

/**
 * Calls `UpdateIosApp`, `UpdateAndroidApp` or `UpdateWebApp`. The call may be repeated if it includes an etag
 * (AIP-154).
 */
export function updateAppCall({ platform, app, updateMask }: UpdateAppOptions): Call {
  return patch(`v1beta1/${pathOf(app.name, `projects/*/${COLLECTIONS[platform]}/*`)}`, app, updateMask);
}

/** Calls `RemoveIosApp`, `RemoveAndroidApp` or `RemoveWebApp`. */
export function removeAppCall({ etag, immediate, ...ref }: RemoveAppOptions): Call {
  return changeCall(`${appPath(ref)}:remove`, { etag, immediate });
}

/** Calls `UndeleteIosApp`, `UndeleteAndroidApp` or `UndeleteWebApp`. */
export function undeleteAppCall({ etag, ...ref }: UndeleteAppOptions): Call {
  return changeCall(`${appPath(ref)}:undelete`, { etag });
}

function changeCall(path: string, body: Pick<RemoveAppOptions, "etag" | "immediate">): Call {
  return post(path, body, hasEtag(body));
}

const listQuery = ({ showDeleted, pageSize }: SearchAppsOptions, pageToken: string | undefined) => ({
  showDeleted: showDeleted ? "true" : undefined,
  pageSize,
  pageToken,
});

const projectPath = (project: string): string => `v1beta1/${pathOf(`projects/${project}`, "projects/*")}`;

const collectionPath = ({ project, platform }: Pick<RegisteredAppRef, "project" | "platform">): string =>
  `${projectPath(project)}/${COLLECTIONS[platform]}`;

const registeredAppName = ({ project, platform, app }: RegisteredAppRef): string =>
  `projects/${project}/${COLLECTIONS[platform]}/${app}`;

const appPath = (ref: RegisteredAppRef): string =>
  `v1beta1/${pathOf(registeredAppName(ref), `projects/*/${COLLECTIONS[ref.platform]}/*`)}`;
