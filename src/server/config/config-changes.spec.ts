import { describe, expect, it } from "vitest";
import { keysForRestart, mirrorsForRestart, reloadedChanges } from "./config-changes.js";
import { type ConfigInput, configSchema } from "./config-schema.js";

const config = (given: ConfigInput = {}) => configSchema.parse(given);
const MIRROR = { source: "mirror", mirror: { url: "https://upstream.example.com" } } as const;

describe("reloadedChanges", () => {
  it("is empty for equal configs", () => {
    const given: ConfigInput = {
      projects: [{ id: "shop", number: "1", apps: [{ id: "a", appAttestConfig: { tokenTtl: "1800s" } }] }],
      access: [{ principal: "ada", projects: ["shop"], role: "viewer" }],
    };
    expect(reloadedChanges(config(given), config(given))).toEqual({});
  });

  it("lists added, removed and changed entries of each kind by name", () => {
    const before = config({
      projects: [
        { id: "shop", number: "1", apps: [{ id: "a" }, { id: "b" }] },
        { id: "news", number: "2" },
      ],
      access: [{ principal: "ada", projects: ["shop", "news"], role: "viewer" }],
      auth: { issuers: [{ issuer: "x", jwksFile: "x.json" }] },
    });
    const after = config({
      projects: [{ id: "shop", number: "1", displayName: "Shop", apps: [{ id: "a", bundleId: "com.a" }] }],
      access: [
        { principal: "ada", projects: ["1"], role: "viewer" },
        { principal: "bob", issuer: "y", projects: "*", role: "owner" },
      ],
      auth: {
        issuers: [
          { issuer: "x", jwksFile: "other.json" },
          { issuer: "y", jwksFile: "y.json" },
        ],
      },
    });
    expect(reloadedChanges(before, after)).toEqual({
      projects: { removed: ["news"], changed: ["shop"] },
      apps: { removed: ["shop/b"], changed: ["shop/a"] },
      access: { added: ["owner bob of y on *"], removed: ["viewer ada on news"] },
      issuers: { added: ["y"], changed: ["x"] },
    });
  });
});

describe("keysForRestart", () => {
  it("lists the paths of changed keys that a running server does not reload", () => {
    const before = config({ auth: { scopeBase: "https://a.example" } });
    const after = config({
      auth: { scopeBase: "https://b.example", issuers: [{ issuer: "x", jwksFile: "x.json" }] },
      projects: [{ id: "shop", number: "1" }],
      access: [{ principal: "ada", projects: "*", role: "owner" }],
      messagingData: { settleDelay: "1h", import: { days: { ahead: 3 } } },
      tls: { certificate: "a.pem", key: "a.key" },
      cors: { origins: ["https://c.example"] },
    });
    expect([...keysForRestart(before, after)].sort()).toEqual([
      "auth.scopeBase",
      "cors.origins",
      "messagingData.import.days.ahead",
      "messagingData.settleDelay",
      "tls",
    ]);
    expect(keysForRestart(after, after)).toEqual([]);
  });
});

describe("mirrorsForRestart", () => {
  it("lists projects with an added, removed or changed mirror", () => {
    const projects = (...mirrored: object[]) =>
      config({ projects: mirrored.map((more, at) => ({ id: `p${at}`, number: `${at + 1}`, ...more })) });
    const slow = { ...MIRROR, mirror: { ...MIRROR.mirror, window: "9d" } };
    const before = projects({ deliveryData: MIRROR }, {}, { deliveryData: MIRROR }, { deliveryData: MIRROR });
    const after = projects({ deliveryData: MIRROR }, { deliveryData: MIRROR }, {}, { deliveryData: slow });
    expect(mirrorsForRestart(before, after)).toEqual(["p1", "p2", "p3"]);
    expect(mirrorsForRestart(after, after)).toEqual([]);
  });
});
