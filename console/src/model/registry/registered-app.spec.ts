import { expect, test } from "vitest";
import { registeredAppOf, sortedApps } from "./registered-app.js";

test("registeredAppOf reads a removed app", () => {
  const json = {
    appId: "1:5:ios:a",
    displayName: "Shop",
    platform: "IOS",
    namespace: "com.example.shop",
    state: "DELETED",
    expireTime: "2026-12-25T14:00:00Z",
  } as const;
  expect(registeredAppOf(json)).toEqual({
    id: "1:5:ios:a",
    title: "Shop",
    displayName: "Shop",
    platform: "ios",
    namespace: "com.example.shop",
    isRemoved: true,
    expires: Date.UTC(2026, 11, 25, 14),
    isOfFile: false,
  });
});

test("registeredAppOf names an app by its id if it has no other name", () => {
  const app = registeredAppOf({ appId: "a", platform: "PLATFORM_UNSPECIFIED", provisionedByFile: true });
  expect(app).toMatchObject({ title: "a", platform: undefined, namespace: undefined, isOfFile: true });
});

test("registeredAppOf omits a web app's namespace, which is its id", () => {
  expect(registeredAppOf({ appId: "a", platform: "WEB", namespace: "a" }).namespace).toBeUndefined();
});

test("sortedApps lists apps by title, removed ones last", () => {
  const app = (appId: string, state: "ACTIVE" | "DELETED") => registeredAppOf({ appId, state });
  const apps = [app("a", "DELETED"), app("shop 10", "ACTIVE"), app("shop 9", "ACTIVE")];
  expect(sortedApps(apps).map(({ id }) => id)).toEqual(["shop 9", "shop 10", "a"]);
});
