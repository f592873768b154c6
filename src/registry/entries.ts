import { hash } from "node:crypto";
import type { Json } from "../control/records.js";
import type { UnixMillis } from "../model/clock.js";
import type { Project, ProjectNumber } from "../model/names.js";
import type { AppAttestConfigValues } from "../model/token-ttl.js";
import type { Binding } from "./members.js";

export type Platform = "ios" | "android" | "web";

/** State of a project or an app. Deleted projects and apps can be restored until their purge time. */
export interface EntryState {
  readonly deleteTime?: UnixMillis | undefined;
  readonly purgeTime?: UnixMillis | undefined;
}

export interface RegisteredProject extends Project, EntryState {
  /** Display name; empty if there is none. */
  readonly displayName: string;
  /** Creation time; `undefined` if the config file defines the project. */
  readonly createTime: UnixMillis | undefined;
  readonly etag: string;
  /** Revision of the record; 0 if the config file defines the project. */
  readonly revision: number;
  readonly isOfFile: boolean;
  /** True if the delivery data is mirrored from another service. Such a project accepts no events. */
  readonly isMirrored: boolean;
}

/** An attestation environment of App Attest. */
export type AttestationEnvironment = "production" | "development";

/** App properties that callers set. Strings are empty if they are not set. */
export interface AppValues {
  readonly displayName: string;
  /** Bundle id of an iOS app or package name of an Android app; empty for a web app. */
  readonly namespace: string;
  readonly teamId: string;
  readonly appStoreId: string;
  readonly appUrls: readonly string[];
}

export interface RegisteredApp extends AppValues, EntryState {
  readonly project: ProjectNumber;
  readonly id: string;
  /** Platform; `undefined` if the config file defines the app without a platform. */
  readonly platform: Platform | undefined;
  readonly environments: readonly AttestationEnvironment[];
  /** Initial configuration, which applies until a caller changes it. */
  readonly appAttestConfig: AppAttestConfigValues;
  readonly etag: string;
  /** Revision of the record; 0 if the config file defines the app. */
  readonly revision: number;
  readonly isOfFile: boolean;
}

/** The stored bindings of a project. */
export interface StoredPolicy {
  readonly bindings: readonly Binding[];
  readonly revision: number;
}

export interface FileApp {
  readonly id: string;
  readonly platform?: Platform | undefined;
  readonly displayName?: string | undefined;
  readonly bundleId?: string | undefined;
  readonly teamId?: string | undefined;
  readonly packageName?: string | undefined;
  readonly attestation?: { readonly environments: readonly AttestationEnvironment[] } | undefined;
  readonly appAttestConfig?: AppAttestConfigValues | undefined;
}

export interface FileProject extends Project {
  readonly displayName?: string | undefined;
  readonly apps: readonly FileApp[];
  readonly deliveryData?: { readonly source: "events" | "mirror" } | undefined;
}

const PRODUCTION: readonly AttestationEnvironment[] = ["production"];

/** Returns the project that the config file defines. */
export function projectOfFile({
  id,
  number,
  displayName = "",
  deliveryData,
}: FileProject): RegisteredProject {
  const values = { id, number, displayName };
  return {
    ...values,
    createTime: undefined,
    etag: etagOf(JSON.stringify(values)),
    revision: 0,
    isOfFile: true,
    isMirrored: deliveryData?.source === "mirror",
  };
}

/** Returns the app that the config file defines. If the file omits the platform, the app id determines it. */
export function appOfFile(project: ProjectNumber, app: FileApp): RegisteredApp {
  const { id, displayName = "", bundleId, packageName, teamId = "", appAttestConfig } = app;
  const values = {
    project,
    id,
    platform: app.platform ?? platformOf(app),
    displayName,
    namespace: bundleId ?? packageName ?? "",
    teamId,
    appStoreId: "",
    appUrls: [],
    environments: app.attestation?.environments ?? PRODUCTION,
  };
  const etag = etagOf(JSON.stringify(values));
  return { ...values, appAttestConfig: { ...appAttestConfig }, etag, revision: 0, isOfFile: true };
}

function platformOf({ id, bundleId, packageName }: FileApp): Platform | undefined {
  if (bundleId !== undefined) return "ios";
  if (packageName !== undefined) return "android";
  return platformOfId(id);
}

/** Returns the platform in an app id of the usual form, such as `1:123456789012:ios:0a1b2c3d4e5f`. */
const platformOfId = (id: string): Platform | undefined =>
  /^\d+:\d+:(ios|android|web):/.exec(id)?.[1] as Platform | undefined;

/** Record keys for a project. All begin with the project number and a slash. */
export const projectKey = (project: ProjectNumber): string => `${project}/project`;
export const policyKey = (project: ProjectNumber): string => `${project}/policy`;
export const appKey = (project: ProjectNumber, appId: string): string => `${project}/apps/${appId}`;

/** Keys of the records that reserve names. */
export const projectIdKey = (projectId: string): string => `projects/${projectId}`;
export const namespaceKey = (
  project: ProjectNumber,
  platform: Platform | undefined,
  namespace: string,
): string => `${project}/${platform}/${namespace}`;

export interface ProjectValue extends EntryState {
  readonly id: string;
  readonly displayName: string;
  readonly createTime: UnixMillis;
}

export interface AppValue extends AppValues, EntryState {
  readonly platform: Platform;
}

export interface PolicyValue {
  readonly bindings: readonly Binding[];
}

/** The project, app or policy that a record key identifies. */
export type Entry =
  | { readonly type: "project"; readonly project: ProjectNumber }
  | { readonly type: "policy"; readonly project: ProjectNumber }
  | { readonly type: "app"; readonly project: ProjectNumber; readonly appId: string };

/** Parses a registry record key. */
export function entryOf(key: string): Entry {
  const [project = "", type, ...rest] = key.split("/");
  if (type === "project" || type === "policy") return { type, project };
  if (type === "apps") return { type: "app", project, appId: rest.join("/") };
  throw new Error(`unknown registry record ${key}`);
}

const NO_URLS: readonly string[] = [];
const NO_CONFIG: AppAttestConfigValues = {};

class StoredProject implements RegisteredProject {
  readonly id: string;
  readonly number: ProjectNumber;
  readonly displayName: string;
  readonly createTime: UnixMillis;
  readonly deleteTime: UnixMillis | undefined;
  readonly purgeTime: UnixMillis | undefined;
  readonly revision: number;

  constructor(number: ProjectNumber, value: ProjectValue, revision: number) {
    this.id = value.id;
    this.number = number;
    this.displayName = value.displayName;
    this.createTime = value.createTime;
    this.deleteTime = value.deleteTime;
    this.purgeTime = value.purgeTime;
    this.revision = revision;
  }

  get etag(): string {
    return recordEtag(projectKey(this.number), this.revision);
  }

  get isOfFile(): boolean {
    return false;
  }

  get isMirrored(): boolean {
    return false;
  }
}

/**
 * An app that is stored in a record. A server can have hundreds of thousands, so fields that are equal for all apps are
 * computed.
 */
class StoredApp implements RegisteredApp {
  readonly project: ProjectNumber;
  readonly id: string;
  readonly platform: Platform;
  readonly displayName: string;
  readonly namespace: string;
  readonly teamId: string;
  readonly appStoreId: string;
  readonly appUrls: readonly string[];
  readonly deleteTime: UnixMillis | undefined;
  readonly purgeTime: UnixMillis | undefined;
  readonly revision: number;

  constructor(project: ProjectNumber, id: string, value: AppValue, revision: number) {
    this.project = project;
    this.id = id;
    this.platform = value.platform;
    this.displayName = value.displayName;
    this.namespace = value.namespace;
    this.teamId = value.teamId;
    this.appStoreId = value.appStoreId;
    this.appUrls = value.appUrls.length === 0 ? NO_URLS : value.appUrls;
    this.deleteTime = value.deleteTime;
    this.purgeTime = value.purgeTime;
    this.revision = revision;
  }

  get environments(): readonly AttestationEnvironment[] {
    return PRODUCTION;
  }

  get appAttestConfig(): AppAttestConfigValues {
    return NO_CONFIG;
  }

  get etag(): string {
    return recordEtag(appKey(this.project, this.id), this.revision);
  }

  get isOfFile(): boolean {
    return false;
  }
}

export const projectOf = (project: ProjectNumber, value: Json, revision: number): RegisteredProject =>
  new StoredProject(project, value as unknown as ProjectValue, revision);

export const appOf = (project: ProjectNumber, id: string, value: Json, revision: number): RegisteredApp =>
  new StoredApp(project, id, value as unknown as AppValue, revision);

/** Returns an app's stored value. Reverses {@link appOf}. */
export function storedValueOf(app: RegisteredApp): AppValue {
  const { platform, displayName, namespace, teamId, appStoreId, appUrls, deleteTime, purgeTime } = app;
  if (platform === undefined) throw new Error(`the app ${app.id} has no platform`);
  return { platform, displayName, namespace, teamId, appStoreId, appUrls, deleteTime, purgeTime };
}

export const recordEtag = (key: string, revision: number): string => etagOf(`${key}@${revision}`);

/**
 * Returns a policy etag in base64, as in JSON.
 *
 * @param fileBindings digest of the bindings that the config file defines for the project, from {@link digestOf}.
 */
export const policyEtag = (key: string, revision: number, fileBindings: string): string =>
  Buffer.from(etagOf(`${key}@${revision} ${fileBindings}`), "base64url").toString("base64");

export const digestOf = (bindings: readonly Binding[]): string => etagOf(JSON.stringify(bindings));

/** Returns a short digest of a state. */
export const etagOf = (state: string): string => hash("sha256", state, "base64url").slice(0, 22);
