import { create } from "@bufbuild/protobuf";
import { type Any, anyPack, timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  type AndroidApp,
  AndroidAppSchema,
  type CloudProject,
  CloudProjectSchema,
  DefaultResourcesSchema,
  type FirebaseAppInfo,
  FirebaseAppInfoSchema,
  type IosApp,
  IosAppSchema,
  type Operation,
  OperationSchema,
  Platform as PlatformNumber,
  type Project,
  ProjectSchema,
  State,
  type WebApp,
  WebAppSchema,
} from "../../gen/waybill/registry/v1/registry_pb.js";
import type { EntryState, Platform, RegisteredApp, RegisteredProject } from "../entries.js";

const stateOf = ({ deleteTime }: EntryState): State =>
  deleteTime === undefined ? State.ACTIVE : State.DELETED;

const expiry = ({ purgeTime }: EntryState) =>
  purgeTime === undefined ? {} : { expireTime: timestampFromMs(purgeTime) };

export function projectMessage(project: RegisteredProject): Project {
  const { id, number, displayName, etag } = project;
  return create(ProjectSchema, {
    name: `projects/${id}`,
    projectId: id,
    projectNumber: number,
    displayName,
    state: stateOf(project),
    etag,
    provisionedByFile: project.isOfFile,
  });
}

/** Builds a project's resource with the default resources that firebase-tools needs. */
export const firebaseProjectMessage = (project: RegisteredProject): Project =>
  Object.assign(projectMessage(project), {
    resources: create(DefaultResourcesSchema, { hostingSite: "none" }),
  });

/** Builds a project's resource in the form of Cloud Resource Manager. */
function cloudProjectMessage(project: RegisteredProject): CloudProject {
  const { id, number, displayName, createTime } = project;
  return create(CloudProjectSchema, {
    projectId: id,
    projectNumber: number,
    name: displayName,
    lifecycleState: stateOf(project),
    ...(createTime !== undefined && { createTime: timestampFromMs(createTime) }),
  });
}

/** Collections of apps, by platform. */
export const COLLECTIONS = { ios: "iosApps", android: "androidApps", web: "webApps" } as const;

const PLATFORMS = {
  ios: PlatformNumber.IOS,
  android: PlatformNumber.ANDROID,
  web: PlatformNumber.WEB,
} as const;

/** An app with its project, for its resource. */
export interface ShownApp {
  readonly project: RegisteredProject;
  readonly app: RegisteredApp;
}

export const appName = ({ project, app }: ShownApp): string =>
  `projects/${project.id}/${app.platform === undefined ? "apps" : COLLECTIONS[app.platform]}/${app.id}`;

/** Builds the fields that apps on all platforms have. */
function commonFields(shown: ShownApp) {
  const { project, app } = shown;
  const { id: appId, displayName, etag, isOfFile: provisionedByFile } = app;
  const state = { state: stateOf(app), etag, ...expiry(app), provisionedByFile };
  return { name: appName(shown), appId, displayName, projectId: project.id, ...state };
}

/** Builds an iOS app's resource. */
export function iosAppMessage(shown: ShownApp): IosApp {
  const { namespace: bundleId, appStoreId, teamId } = shown.app;
  return create(IosAppSchema, { ...commonFields(shown), bundleId, appStoreId, teamId });
}

export function androidAppMessage(shown: ShownApp): AndroidApp {
  return create(AndroidAppSchema, { ...commonFields(shown), packageName: shown.app.namespace });
}

export function webAppMessage(shown: ShownApp): WebApp {
  return create(WebAppSchema, { ...commonFields(shown), appUrls: [...shown.app.appUrls] });
}

/** Builds an app's resource, for any platform. */
export function appInfoMessage(shown: ShownApp): FirebaseAppInfo {
  const { app } = shown;
  const { id: appId, displayName, platform, namespace } = app;
  return create(FirebaseAppInfoSchema, {
    name: appName(shown),
    appId,
    displayName,
    platform: platform === undefined ? PlatformNumber.PLATFORM_UNSPECIFIED : PLATFORMS[platform],
    namespace: namespace || (platform === "web" ? appId : ""),
    state: stateOf(app),
    ...expiry(app),
    provisionedByFile: app.isOfFile,
  });
}

/** Packs an app's resource into an operation's response. */
function packedApp(platform: Platform, shown: ShownApp): Any {
  if (platform === "ios") return anyPack(IosAppSchema, iosAppMessage(shown));
  if (platform === "android") return anyPack(AndroidAppSchema, androidAppMessage(shown));
  return anyPack(WebAppSchema, webAppMessage(shown));
}

const operation = (id: string, response?: Any): Operation =>
  create(OperationSchema, { name: `operations/${id}`, done: true, ...(response && { response }) });

/** Builds the operation for a call that had nothing to change. */
export const nothingDone = (): Operation => operation("none");

/** Builds the operation that created a project. */
export const creationOf = (project: RegisteredProject): Operation =>
  operation(`create.${project.number}`, anyPack(CloudProjectSchema, cloudProjectMessage(project)));

/** Builds the operation that added Firebase to a project. */
export const additionTo = (project: RegisteredProject): Operation =>
  operation(`firebase.${project.number}`, anyPack(ProjectSchema, projectMessage(project)));

/** Builds an operation that changed an app. */
export const changeOf = (platform: Platform, shown: ShownApp): Operation =>
  operation(`app.${shown.project.number}.${shown.app.id}`, packedApp(platform, shown));
