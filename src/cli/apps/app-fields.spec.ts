import { expect, test } from "vitest";
import { appFields, platformOf } from "./app-fields.js";

test("appFields converts a platform's flags to fields", () => {
  expect(
    appFields("ios", { displayName: "Shop", bundleId: "com.example.shop", teamId: "A1B2C3D4E5" }),
  ).toEqual({
    displayName: "Shop",
    bundleId: "com.example.shop",
    teamId: "A1B2C3D4E5",
  });
  expect(appFields("web", { appUrl: ["https://example.com"] })).toEqual({ appUrls: ["https://example.com"] });
});

test("appFields rejects a flag of another platform", () => {
  expect(() => appFields("web", { bundleId: "com.example.shop" })).toThrow(
    "--bundle-id applies only to --platform ios",
  );
});

test.each([
  ["1:123456789012:android:0a1b2c3d4e5f", undefined, "android"],
  ["1:123456789012:android:0a1b2c3d4e5f", "ios", "ios"],
  ["app-7d", "web", "web"],
] as const)("platformOf for the id %s with the flag %s returns %s", (app, platform, expected) => {
  expect(platformOf({ app, ...(platform && { platform }) })).toBe(expected);
});

test("platformOf rejects an id that names no platform, without a flag", () => {
  expect(() => platformOf({ app: "app-7d" })).toThrow(
    "--app app-7d: the id does not contain the platform; set --platform",
  );
});
