import { create } from "@bufbuild/protobuf";
import {
  type AppConfigFile,
  AppConfigFileSchema,
  type WebAppConfig,
  WebAppConfigSchema,
} from "../../gen/waybill/registry/v1/registry_pb.js";
import { wrongState } from "../registry-errors.js";
import { appName, type ShownApp } from "./resources.js";

/** Builds the `GoogleService-Info.plist` for an iOS app. @throws ApiError `WRONG_STATE` if the app has no bundle id. */
export function iosAppConfig(shown: ShownApp): AppConfigFile {
  const { project, app } = shown;
  if (app.namespace === "") throw wrongState(appName(shown), "without a bundle id");
  const values = {
    GCM_SENDER_ID: project.number,
    PLIST_VERSION: "1",
    BUNDLE_ID: app.namespace,
    PROJECT_ID: project.id,
    GOOGLE_APP_ID: app.id,
  };
  const lines = Object.entries(values).map(
    ([key, value]) => `\t<key>${key}</key>\n\t<string>${xmlText(value)}</string>\n`,
  );
  const text =
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n' +
    `<plist version="1.0">\n<dict>\n${lines.join("")}</dict>\n</plist>\n`;
  return configFile("GoogleService-Info.plist", text);
}

/**
 * Builds the `google-services.json` for an Android app.
 *
 * @throws ApiError `WRONG_STATE` if the app has no package name.
 */
export function androidAppConfig(shown: ShownApp): AppConfigFile {
  const { project, app } = shown;
  if (app.namespace === "") throw wrongState(appName(shown), "without a package name");
  const content = {
    project_info: { project_number: project.number, project_id: project.id },
    client: [
      {
        client_info: {
          mobilesdk_app_id: app.id,
          android_client_info: { package_name: app.namespace },
        },
        oauth_client: [],
        api_key: [],
        services: {},
      },
    ],
    configuration_version: "1",
  };
  return configFile("google-services.json", `${JSON.stringify(content, null, 2)}\n`);
}

export function webAppConfig({ project, app }: ShownApp): WebAppConfig {
  return create(WebAppConfigSchema, {
    projectId: project.id,
    appId: app.id,
    messagingSenderId: project.number,
  });
}

const configFile = (configFilename: string, text: string): AppConfigFile =>
  create(AppConfigFileSchema, { configFilename, configFileContents: Buffer.from(text) });

const xmlText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
