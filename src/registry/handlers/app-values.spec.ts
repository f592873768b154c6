import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it, test } from "vitest";
import { ApiError, ParameterViolations } from "../../api/api-error.js";
import { AndroidAppSchema, IosAppSchema, WebAppSchema } from "../../gen/waybill/registry/v1/registry_pb.js";
import type { AppValues } from "../entries.js";
import { checkAndroidApp, checkIosApp, checkWebApp } from "./app-values.js";

const ALL = new Set(["display_name", "bundle_id", "team_id", "app_store_id", "package_name", "app_urls"]);

/** Reads values. Returns the invalid fields instead, if there are any. */
function read(check: (violations: ParameterViolations) => AppValues): AppValues | readonly string[] {
  const violations = new ParameterViolations();
  const values = check(violations);
  try {
    violations.throwIfAny();
  } catch (error) {
    if (error instanceof ApiError) return error.violations.map(({ field }) => field);
    throw error;
  }
  return values;
}

const ios = (app: MessageInitShape<typeof IosAppSchema>, fields: ReadonlySet<string> = ALL) =>
  read((violations) => checkIosApp(create(IosAppSchema, app), fields, violations));
const android = (app: MessageInitShape<typeof AndroidAppSchema>) =>
  read((violations) => checkAndroidApp(create(AndroidAppSchema, app), ALL, violations));
const web = (app: MessageInitShape<typeof WebAppSchema>) =>
  read((violations) => checkWebApp(create(WebAppSchema, app), ALL, violations));

const bundleId = "com.example.app";
const NONE = { displayName: "", namespace: "", teamId: "", appStoreId: "", appUrls: [] };

describe("values of an iOS app", () => {
  it("are read, and are empty if they are not set", () => {
    const app = { displayName: "App \u{1f4f1}", bundleId, teamId: "A1B2C3D4E5", appStoreId: "123456789" };
    const { bundleId: namespace, ...values } = app;
    expect(ios(app)).toEqual({ ...NONE, ...values, namespace });
    expect(ios({ bundleId })).toEqual({ ...NONE, namespace: bundleId });
  });

  test.each([
    "",
    ".com",
    "com.",
    "-a",
    "com example",
    "com_example",
    "ä.example",
    "a/b",
    "a\n",
    "a".repeat(156),
  ])("reject the bundle id %j", (invalid) => {
    expect(ios({ bundleId: invalid })).toEqual(["bundleId"]);
  });

  test.each([
    [{ teamId: "a1b2c3d4e5" }, "teamId"],
    [{ teamId: "A1B2C3D4E" }, "teamId"],
    [{ teamId: "A1B2C3D4E5\n" }, "teamId"],
    [{ appStoreId: "id123" }, "appStoreId"],
    [{ appStoreId: "1".repeat(21) }, "appStoreId"],
    [{ displayName: "a\u0007" }, "displayName"],
    [{ displayName: "\u{1f4f1}".repeat(64) }, "displayName"],
  ])("reject %j", (invalid, field) => {
    expect(ios({ bundleId, ...invalid })).toEqual([field]);
  });

  it("report all invalid fields, and only those that are checked", () => {
    const invalid = { bundleId: "", teamId: "x", displayName: "\u0000" };
    expect(ios(invalid)).toEqual(["displayName", "bundleId", "teamId"]);
    expect(ios(invalid, new Set(["team_id"]))).toEqual(["teamId"]);
    expect(ios({ ...invalid, teamId: "" }, new Set(["team_id"]))).toMatchObject({ teamId: "" });
  });

  it("are rejected without an app", () => {
    expect(read((violations) => checkIosApp(undefined, ALL, violations))).toEqual(["bundleId"]);
  });
});

describe("values of an Android app", () => {
  test.each(["com.example", "com.example.My_app2", `a.${"b".repeat(253)}`])(
    "have the package name %s",
    (packageName) => {
      expect(android({ packageName })).toEqual({ ...NONE, namespace: packageName });
    },
  );

  test.each([
    "",
    "com",
    "com.",
    ".com",
    "com.1a",
    "com.a-b",
    "com.ä",
    "com.example\n",
    `a.${"b".repeat(254)}`,
  ])("reject the package name %j", (packageName) => {
    expect(android({ packageName })).toEqual(["packageName"]);
  });
});

describe("values of a web app", () => {
  it("can have web addresses or none", () => {
    const appUrls = ["https://app.example.com/path?a=b", "http://localhost:8080"];
    expect(web({ appUrls })).toEqual({ ...NONE, appUrls });
    expect(web({})).toEqual(NONE);
  });

  it("are rejected for each address that is not on the web, and for more than 50 addresses", () => {
    const appUrls = [
      "https://example.com",
      "javascript:alert(1)",
      "example.com",
      "",
      `https://${"a".repeat(2_048)}`,
    ];
    expect(web({ appUrls })).toEqual([1, 2, 3, 4].map((index) => `appUrls[${index}]`));
    expect(web({ appUrls: Array(50).fill("https://example.com") })).toMatchObject({ namespace: "" });
    expect(web({ appUrls: Array(51).fill("https://example.com") })).toEqual(["appUrls"]);
  });
});
