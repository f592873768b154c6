import { describe, expect, it } from "vitest";
import { appOfFile, type FileApp, projectOfFile } from "../entries.js";
import { androidAppConfig, iosAppConfig, webAppConfig } from "./app-configs.js";
import type { ShownApp } from "./resources.js";

const PROJECT = { id: "shop", number: "500000000001" };

const shown = (app: FileApp): ShownApp => ({
  project: projectOfFile({ ...PROJECT, apps: [app] }),
  app: appOfFile(PROJECT.number, app),
});

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

describe("iosAppConfig", () => {
  it("returns a property list, with escaped strings", () => {
    const { configFilename, configFileContents } = iosAppConfig(
      shown({ id: "a<&b", bundleId: "com.example.shop" }),
    );
    expect(configFilename).toBe("GoogleService-Info.plist");
    const text = textOf(configFileContents);
    const values = [...text.matchAll(/<key>(.*)<\/key>\n\t<string>(.*)<\/string>/g)].map(([, key, value]) => [
      key,
      value,
    ]);
    expect(Object.fromEntries(values)).toEqual({
      GCM_SENDER_ID: PROJECT.number,
      PLIST_VERSION: "1",
      BUNDLE_ID: "com.example.shop",
      PROJECT_ID: PROJECT.id,
      GOOGLE_APP_ID: "a&lt;&amp;b",
    });
  });

  it("rejects an app without a bundle id", () => {
    expect(() => iosAppConfig(shown({ id: "1:500000000001:ios:aa" }))).toThrow(
      "projects/shop/iosApps/1:500000000001:ios:aa is without a bundle id.",
    );
  });
});

describe("androidAppConfig", () => {
  it("returns a JSON file with the app as its only client", () => {
    const { configFilename, configFileContents } = androidAppConfig(
      shown({ id: "a", packageName: "com.example.shop" }),
    );
    expect(configFilename).toBe("google-services.json");
    expect(JSON.parse(textOf(configFileContents))).toMatchObject({
      project_info: { project_number: PROJECT.number, project_id: PROJECT.id },
      client: [
        {
          client_info: { mobilesdk_app_id: "a", android_client_info: { package_name: "com.example.shop" } },
          api_key: [],
        },
      ],
    });
  });

  it("rejects an app without a package name", () => {
    expect(() => androidAppConfig(shown({ id: "1:500000000001:android:aa" }))).toThrow(
      "is without a package name.",
    );
  });
});

describe("webAppConfig", () => {
  it("returns both ids and the project number", () => {
    expect(webAppConfig(shown({ id: "1:500000000001:web:aa" }))).toMatchObject({
      projectId: PROJECT.id,
      appId: "1:500000000001:web:aa",
      messagingSenderId: PROJECT.number,
    });
  });
});
