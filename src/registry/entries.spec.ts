import { describe, expect, it, test } from "vitest";
import {
  appKey,
  appOf,
  appOfFile,
  entryOf,
  policyKey,
  projectKey,
  projectOf,
  projectOfFile,
  recordEtag,
} from "./entries.js";

describe("keys of registry records", () => {
  it("identify their entry", () => {
    expect(entryOf(projectKey("7"))).toEqual({ type: "project", project: "7" });
    expect(entryOf(policyKey("7"))).toEqual({ type: "policy", project: "7" });
    expect(entryOf(appKey("7", "1:7:ios:ab"))).toEqual({ type: "app", project: "7", appId: "1:7:ios:ab" });
    expect(() => entryOf("7/other")).toThrow("unknown registry record 7/other");
  });
});

describe("etags", () => {
  it("differ between records and between revisions", () => {
    const etags = [recordEtag("7/project", 1), recordEtag("7/project", 2), recordEtag("8/project", 1)];
    expect(new Set(etags).size).toBe(3);
    for (const etag of etags) expect(etag).toMatch(/^[\w-]{22}$/);
  });

  it("of entries in the config file depend only on their content", () => {
    const entry = { id: "seven", number: "7", apps: [] };
    expect(projectOfFile(entry).etag).toBe(projectOfFile({ ...entry }).etag);
    expect(projectOfFile({ ...entry, displayName: "Seven" }).etag).not.toBe(projectOfFile(entry).etag);
    expect(appOfFile("7", { id: "a" }).etag).not.toBe(appOfFile("8", { id: "a" }).etag);
  });
});

describe("apps in the file", () => {
  test.each([
    [{ id: "1:7:ios:ab" }, "ios", ""],
    [{ id: "1:7:android:ab" }, "android", ""],
    [{ id: "1:7:web:ab" }, "web", ""],
    [{ id: "app", bundleId: "com.example" }, "ios", "com.example"],
    [{ id: "app", packageName: "com.example" }, "android", "com.example"],
    [{ id: "app" }, undefined, ""],
  ])("%j: platform %s, namespace %j", (app, platform, namespace) => {
    expect(appOfFile("7", app)).toMatchObject({
      project: "7",
      id: app.id,
      platform,
      namespace,
      isOfFile: true,
    });
  });

  it("attest in production by default", () => {
    expect(appOfFile("7", { id: "a" }).environments).toEqual(["production"]);
    const environments = ["development"] as const;
    expect(appOfFile("7", { id: "a", attestation: { environments } }).environments).toEqual(environments);
  });
});

it("projectOf and appOf read a stored project and its apps", () => {
  const value = { id: "seven", displayName: "Seven", createTime: 5, deleteTime: 6, purgeTime: 7 };
  const etag = recordEtag("7/project", 3);
  expect(projectOf("7", value, 3)).toMatchObject({
    ...value,
    number: "7",
    etag,
    revision: 3,
    isOfFile: false,
    isMirrored: false,
  });
  const app = {
    platform: "ios",
    displayName: "",
    namespace: "com.example",
    teamId: "",
    appStoreId: "",
    appUrls: [],
  };
  expect(appOf("7", "a", app, 4)).toMatchObject({
    ...app,
    project: "7",
    id: "a",
    environments: ["production"],
    etag: recordEtag("7/apps/a", 4),
    revision: 4,
    isOfFile: false,
  });
});
