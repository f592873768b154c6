import { describe, expect, it, test } from "vitest";
import { Scope } from "../gen/waybill/auth/v1/authorization_pb.js";
import { ScopeNames } from "./scopes.js";

describe("ScopeNames", () => {
  test.each([
    ["https://www.googleapis.com/auth/platform", [Scope.PLATFORM]],
    ["https://www.googleapis.com/auth/cloud-platform", [Scope.PLATFORM]],
    ["https://www.googleapis.com/auth/app-platform", [Scope.APP_PLATFORM]],
    ["https://www.googleapis.com/auth/firebase", [Scope.APP_PLATFORM]],
    ["https://www.googleapis.com/auth/firebase.messaging", []],
    ["https://www.googleapis.com/auth/PLATFORM", []],
    ["https://example.com/auth/platform", []],
    ["platform", []],
    ["", []],
  ])("maps %s to the scopes %j", (name, scopes) => {
    expect([...new ScopeNames().scopesIn([name])]).toEqual(scopes);
  });

  test.each(["https://waybill.example/scopes", "https://waybill.example/scopes/"])(
    "puts scope names under the base %s",
    (base) => {
      const names = new ScopeNames(base);
      expect(names.nameOf(Scope.PLATFORM)).toBe("https://waybill.example/scopes/platform");
      expect([...names.scopesIn(["https://waybill.example/scopes/firebase"])]).toEqual([Scope.APP_PLATFORM]);
      expect(names.scopesIn(["https://www.googleapis.com/auth/platform"]).size).toBe(0);
    },
  );

  it("throws for a value that is not a scope", () => {
    expect(() => new ScopeNames().nameOf(Scope.SCOPE_UNSPECIFIED)).toThrow();
  });
});
