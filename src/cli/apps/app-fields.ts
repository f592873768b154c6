import type { AppPlatform, IosAppJson, RegisteredAndroidAppJson, WebAppJson } from "@waybill/client";
import { CommandFailure } from "../support/command-failure.js";

export interface AppFieldFlags {
  readonly displayName?: string;
  readonly bundleId?: string;
  readonly teamId?: string;
  readonly appStoreId?: string;
  readonly packageName?: string;
  readonly appUrl?: readonly string[];
}

/** Flags for apps of one platform, with the platform and the app field. */
const FLAGS = {
  bundleId: { platform: "ios", field: "bundleId", flag: "--bundle-id" },
  teamId: { platform: "ios", field: "teamId", flag: "--team-id" },
  appStoreId: { platform: "ios", field: "appStoreId", flag: "--app-store-id" },
  packageName: { platform: "android", field: "packageName", flag: "--package-name" },
  appUrl: { platform: "web", field: "appUrls", flag: "--app-url" },
} as const satisfies Readonly<
  Record<
    Exclude<keyof AppFieldFlags, "displayName">,
    {
      readonly platform: AppPlatform;
      readonly field: keyof IosAppJson | keyof RegisteredAndroidAppJson | keyof WebAppJson;
      readonly flag: string;
    }
  >
>;

/** Returns the app fields that the flags set. @throws CommandFailure for a flag of another platform. */
export function appFields(
  platform: AppPlatform,
  flags: AppFieldFlags,
): IosAppJson & RegisteredAndroidAppJson & WebAppJson {
  const fields: Record<string, unknown> = {};
  if (flags.displayName !== undefined) fields.displayName = flags.displayName;
  for (const name of Object.keys(FLAGS) as (keyof typeof FLAGS)[]) {
    if (flags[name] === undefined) continue;
    const { platform: own, field, flag } = FLAGS[name];
    if (own !== platform) throw new CommandFailure(`${flag} applies only to --platform ${own}`);
    fields[field] = flags[name];
  }
  return fields;
}

/** Returns an app's platform, from the flag or from the app id. @throws CommandFailure if neither names a platform. */
export function platformOf({
  app,
  platform,
}: {
  readonly app: string;
  readonly platform?: AppPlatform;
}): AppPlatform {
  const [, found] = /^\d+:\d+:(ios|android|web):/.exec(app) ?? [];
  if (platform === undefined && found === undefined)
    throw new CommandFailure(`--app ${app}: the id does not contain the platform; set --platform`);
  return platform ?? (found as AppPlatform);
}
