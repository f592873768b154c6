import type { DescMessage } from "@bufbuild/protobuf";
import type { ParameterViolations } from "../../api/api-error.js";
import type { MaskFields } from "../../api/update-mask.js";
import {
  type AndroidApp,
  type AppConfigFile,
  type IosApp,
  ListAndroidAppsResponseSchema,
  ListIosAppsResponseSchema,
  ListWebAppsResponseSchema,
  type WebApp,
  type WebAppConfig,
} from "../../gen/waybill/registry/v1/registry_pb.js";
import type { AppValues, Platform } from "../entries.js";
import { androidAppConfig, iosAppConfig, webAppConfig } from "./app-configs.js";
import { checkAndroidApp, checkIosApp, checkWebApp } from "./app-values.js";
import { androidAppMessage, iosAppMessage, type ShownApp, webAppMessage } from "./resources.js";

/** A platform of apps, with the messages that its methods use. */
export interface AppKind<Field extends string, App, ListSchema extends DescMessage, Config> {
  readonly platform: Platform;
  /** Name in the methods of this platform, such as `IosApp`, for the audit log. */
  readonly name: string;
  /** Field with the app in requests to create or update one. */
  readonly field: Field;
  readonly fields: MaskFields;
  readonly toMessage: (shown: ShownApp) => App;
  readonly toConfig: (shown: ShownApp) => Config;
  readonly listSchema: ListSchema;
  /** Reads and checks values. @param changed the fields to check; all of them for a new app. */
  readonly read: (
    app: App | undefined,
    changed: ReadonlySet<string>,
    violations: ParameterViolations,
  ) => AppValues;
}

const COMMON = {
  immutable: ["name", "app_id", "project_id"],
  outputOnly: ["state", "etag", "expire_time", "provisioned_by_file"],
};

export const IOS: AppKind<"iosApp", IosApp, typeof ListIosAppsResponseSchema, AppConfigFile> = {
  platform: "ios",
  name: "IosApp",
  field: "iosApp",
  fields: {
    ...COMMON,
    changeable: ["display_name", "app_store_id", "team_id"],
    immutable: [...COMMON.immutable, "bundle_id"],
  },
  toMessage: iosAppMessage,
  toConfig: iosAppConfig,
  listSchema: ListIosAppsResponseSchema,
  read: checkIosApp,
};

export const ANDROID: AppKind<"androidApp", AndroidApp, typeof ListAndroidAppsResponseSchema, AppConfigFile> =
  {
    platform: "android",
    name: "AndroidApp",
    field: "androidApp",
    fields: { ...COMMON, changeable: ["display_name"], immutable: [...COMMON.immutable, "package_name"] },
    toMessage: androidAppMessage,
    toConfig: androidAppConfig,
    listSchema: ListAndroidAppsResponseSchema,
    read: checkAndroidApp,
  };

export const WEB: AppKind<"webApp", WebApp, typeof ListWebAppsResponseSchema, WebAppConfig> = {
  platform: "web",
  name: "WebApp",
  field: "webApp",
  fields: { ...COMMON, changeable: ["display_name", "app_urls"] },
  toMessage: webAppMessage,
  toConfig: webAppConfig,
  listSchema: ListWebAppsResponseSchema,
  read: checkWebApp,
};

/** Fields of the contract that set each value of an app. */
export const VALUE_OF: Readonly<Record<string, keyof AppValues>> = {
  display_name: "displayName",
  app_store_id: "appStoreId",
  team_id: "teamId",
  app_urls: "appUrls",
};
