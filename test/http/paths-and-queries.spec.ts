import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { listOf } from "../support/data/delivery-data.js";
import { sender } from "../support/http/exchange.js";
import { test as serving } from "../support/servers/fixtures.js";
import { ANDROID_APP, IOS_APP, PROJECT } from "../support/servers/project.js";

const test = serving
  .extend("get", ({ server, viewer }) => sender(server.integrityUrl, viewer))
  .extend("list", ({ server, viewer }) => sender(server.messagingDataUrl, viewer));

const P = PROJECT.id;
const CONFIG = `/v1/projects/${P}/apps/${IOS_APP}/appAttestConfig`;
const LIST = listOf(ANDROID_APP);

describe("the server has no route for", () => {
  test.for([
    ["/"],
    ["//"],
    ["*"],
    ["/v1"],
    ["/favicon.ico"],
    ["/robots.txt"],
    [`${CONFIG}/`],
    [`/${CONFIG}`],
    [`${CONFIG}/more`],
    [`${CONFIG}:get`],
    [CONFIG.replace("/v1/", "/V1/")],
    [CONFIG.replace("/v1/", "/v1beta1/")],
    [CONFIG.replace("/v1/", "/v1//")],
    [CONFIG.replace("projects", "Projects")],
    [CONFIG.replace("appAttestConfig", "appattestconfig")],
    [CONFIG.replace("appAttestConfig", "app%41ttestConfig")],
    [`/v1/projects//apps/${IOS_APP}/appAttestConfig`],
    [`/v1/projects/${P}/apps//appAttestConfig`],
    [`/v1/projects/${P}/apps/a/b/appAttestConfig`],
    [`/v1/projects/${P}/apps/../apps/${IOS_APP}/appAttestConfig`],
    [`/v1/./projects/${P}/apps/${IOS_APP}/appAttestConfig`],
    ["/v1/../../../../etc/passwd"],
    ["/v1/%2e%2e/%2e%2e/etc/passwd"],
    ["/..%2f..%2f..%2fetc%2fpasswd"],
    [`${CONFIG}%00`],
    [`${CONFIG}%`],
    [`${CONFIG};v=1`],
    [`/${CONFIG.slice(1).replaceAll("/", "%2F")}`],
    [`/${CONFIG.slice(1).replaceAll("/", "\\")}`],
  ] as const)("%s", async ([target], { get }) => {
    const { status, headers, text } = await get(target);
    expect(status).toBe(404);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(errorOf(text)).toMatchObject({ code: 404, status: "NOT_FOUND", reason: "ROUTE_NOT_FOUND" });
  });

  test.for([
    [`${LIST}/`],
    [`/v1beta1//projects/${P}/androidApps/${ANDROID_APP}/deliveryData`],
    [`/v1beta1/projects/${P}/androidApps//deliveryData`],
    [`/v1beta1/projects/${P}/androidapps/${ANDROID_APP}/deliveryData`],
    [LIST.replace("v1beta1", "v1")],
    [`/v1beta1/projects/${P}/messageEvents`],
  ] as const)("%s", async ([target], { list }) => {
    const { status, text } = await list(target);
    expect(status).toBe(404);
    expect(errorOf(text)).toMatchObject({ reason: "ROUTE_NOT_FOUND", domain: "messaging-data.waybill" });
  });
});

describe("a resource name that is meant to break out of its path", () => {
  test.for(["%", "%zz", "%2", "%ff", "%C3%28", "%ED%A0%80", "a%", "%u0041"])(
    "with the app %s is a malformed path",
    async (app, { get, list }) => {
      for (const { status, text } of [
        await get(`/v1/projects/${P}/apps/${app}/appAttestConfig`),
        await list(listOf(app)),
      ]) {
        expect(status).toBe(400);
        expect(errorOf(text)).toMatchObject({ status: "INVALID_ARGUMENT", reason: "MALFORMED_PATH" });
      }
    },
  );

  test.for(["%00", "%2F", "%2f..%2f..", "..", ".", "%2E%2E", "%0d%0aX-Evil:1", "%20", "*", "'%20OR%201=1--"])(
    "with the app %s is treated as an unknown app",
    async (app, { get, list }) => {
      const { status, headers, text } = await get(`/v1/projects/${P}/apps/${app}/appAttestConfig`);
      expect(status).toBe(404);
      expect(errorOf(text)).toMatchObject({ reason: "RESOURCE_NOT_FOUND" });
      expect(headers["x-evil"]).toBeUndefined();
      expect(await list(listOf(app))).toMatchObject({ status: 200, text: "{}" });
    },
  );

  test("distinguishes an encoded slash from a real one", async ({ get }) => {
    const { text } = await get(`/v1/projects/${P}/apps/a%2Fb/appAttestConfig`);
    expect(errorOf(text).metadata.resourceName).toBe(`projects/${P}/apps/a%2Fb/appAttestConfig`);
  });

  test.for(["%", "%ff"])("with the project %s is a malformed path", async (project, { list }) => {
    const { status, text } = await list(listOf(ANDROID_APP, project));
    expect(status).toBe(400);
    expect(errorOf(text)).toMatchObject({ reason: "MALFORMED_PATH", fields: ["parent"] });
  });
});

describe("a query is rejected", () => {
  test.for([
    ["pagesize=1", ["pagesize"], "UNKNOWN_PARAMETER"],
    ["order=x", ["order"], "UNKNOWN_PARAMETER"],
    ["=1", ["query"], "UNKNOWN_PARAMETER"],
    ["__proto__=1", ["__proto__"], "UNKNOWN_PARAMETER"],
    ["constructor=1", ["constructor"], "UNKNOWN_PARAMETER"],
    ["pageSize=1&pageSize=1", ["pageSize"], "DUPLICATE_PARAMETER"],
    ["pageSize=1&page_size=1", ["page_size"], "DUPLICATE_PARAMETER"],
    ["pageToken=&pageToken=", ["pageToken"], "DUPLICATE_PARAMETER"],
    ["pageSize=", ["pageSize"], "INVALID_PARAMETER"],
    ["pageSize", ["pageSize"], "INVALID_PARAMETER"],
    ["pageSize=ten", ["pageSize"], "INVALID_PARAMETER"],
    ["pageSize=2.0", ["pageSize"], "INVALID_PARAMETER"],
    ["pageSize=1e1", ["pageSize"], "INVALID_PARAMETER"],
    ["pageSize=0x10", ["pageSize"], "INVALID_PARAMETER"],
    ["pageSize=+1", ["pageSize"], "INVALID_PARAMETER"],
    ["pageSize=%201", ["pageSize"], "INVALID_PARAMETER"],
    ["pageSize=2147483648", ["pageSize"], "INVALID_PARAMETER"],
    ["pageSize=NaN", ["pageSize"], "INVALID_PARAMETER"],
    ["pageSize=%ff", ["pageSize"], "MALFORMED_QUERY"],
    ["pageToken=%", ["pageToken"], "MALFORMED_QUERY"],
    ["%zz=1", ["%zz"], "MALFORMED_QUERY"],
    ["parent=projects/x/androidApps/y", ["parent"], "INVALID_PARAMETER"],
    ["pageSize.x=1", ["pageSize.x"], "UNKNOWN_PARAMETER"],
    ["pageSize=x&order=y&alt=xml", ["pageSize", "order", "alt"], "INVALID_PARAMETER"],
  ] as const)("%s", async ([query, fields, reason], { list }) => {
    const { status, text } = await list(`${LIST}?${query}`);
    expect(status).toBe(400);
    const error = errorOf(text);
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", reason, fields });
    for (const field of fields) expect(error.message).toContain(field);
  });

  test("with the names of at most a hundred parameters", async ({ list }) => {
    const query = Array.from({ length: 1_000 }, (_, index) => `p${index}=`).join("&");
    expect(errorOf((await list(`${LIST}?${query}`)).text).fields).toHaveLength(100);
  });

  test("if it has parameters that belong to another operation", async ({ get }) => {
    const { status, text } = await get(`${CONFIG}?pageSize=1`);
    expect(status).toBe(400);
    expect(errorOf(text)).toMatchObject({ reason: "UNKNOWN_PARAMETER", fields: ["pageSize"] });
    expect(errorOf((await get(`${CONFIG}?name=x`)).text)).toMatchObject({ fields: ["name"] });
  });
});

describe("a query is accepted", () => {
  test.for([
    "?",
    "?pageSize=10",
    "?page%53ize=10",
    "?pageSize=02",
    "?pageSize=%2B2",
    "?&pageSize=10&",
    "?key=a+b&quotaUser=a%20b",
  ])("%s", async (query, { list }) => {
    expect((await list(LIST + query)).status).toBe(200);
  });

  test.for(["+", "%20"])("with %s for a space", async (space, { get }) => {
    const { text } = await get(`${CONFIG}?no${space}parameter=`);
    expect(errorOf(text).fields).toEqual(["no parameter"]);
  });
});
