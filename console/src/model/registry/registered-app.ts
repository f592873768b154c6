import type { FirebaseAppInfoJson } from "#src/gen/waybill/registry/v1/registry_pb.js";

/** Platforms of apps, with their titles. */
export const PLATFORMS = { ios: "iOS", android: "Android", web: "Web" } as const;

export type Platform = keyof typeof PLATFORMS;

/** Titles of app names in stores. Web apps have none. */
export const NAMESPACES: Readonly<Partial<Record<Platform, string>>> = {
  ios: "Bundle ID",
  android: "Package name",
};

/** Maximum length of a display name. */
export const MAX_APP_NAME = 63;

export interface RegisteredApp {
  readonly id: string;
  /** Display name; the app id if there is none. */
  readonly title: string;
  readonly displayName: string;
  /** Undefined for an app of the config file without a platform. */
  readonly platform: Platform | undefined;
  /** Bundle id or package name. Undefined if there is none. */
  readonly namespace: string | undefined;
  readonly isRemoved: boolean;
  /** Time at which a removed app is purged, in milliseconds since the Unix epoch. */
  readonly expires: number | undefined;
  /** True if the config file defines the app. */
  readonly isOfFile: boolean;
}

export function registeredAppOf(json: FirebaseAppInfoJson): RegisteredApp {
  const { appId: id = "", displayName = "", namespace, expireTime } = json;
  return {
    id,
    title: displayName === "" ? id : displayName,
    displayName,
    platform: (Object.keys(PLATFORMS) as Platform[]).find((name) => name.toUpperCase() === json.platform),
    namespace: namespace === id ? undefined : namespace,
    isRemoved: json.state === "DELETED",
    expires: expireTime === undefined ? undefined : Date.parse(expireTime),
    isOfFile: json.provisionedByFile ?? false,
  };
}

/** Sorts apps by title, removed ones last. */
export const sortedApps = (apps: readonly RegisteredApp[]): readonly RegisteredApp[] =>
  [...apps].sort((a, b) => Number(a.isRemoved) - Number(b.isRemoved) || TITLES.compare(a.title, b.title));

const TITLES = new Intl.Collator(undefined, { numeric: true });
