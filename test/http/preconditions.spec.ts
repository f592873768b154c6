import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { incidentsOf, listOf } from "../support/data/delivery-data.js";
import { type HttpResponse, send } from "../support/http/exchange.js";
import { test as serving } from "../support/servers/fixtures.js";
import { ANDROID_APP, IOS_APP, PROJECT } from "../support/servers/project.js";

const CONFIG = `/v1/projects/${PROJECT.id}/apps/${IOS_APP}/appAttestConfig`;

type Resource = readonly [listener: "integrityUrl" | "messagingDataUrl", target: string];

const test = serving.extend("resource", ["integrityUrl", CONFIG] as Resource).extend(
  "ask",
  ({ server, viewer, resource: [listener, target] }) =>
    (method: string, headers: Record<string, string> = {}): Promise<HttpResponse> =>
      send(server[listener], target, { method, token: viewer, headers }),
);

describe.each<Resource>([
  ["integrityUrl", CONFIG],
  ["integrityUrl", `${CONFIG}?fields=tokenTtl&prettyPrint=true`],
  ["integrityUrl", `/v1/projects/${PROJECT.id}/apps/-/appAttestConfig:batchGet`],
  ["integrityUrl", `/v1/projects/${PROJECT.id}/apps`],
  ["integrityUrl", "/openapi.json"],
  ["integrityUrl", "/$discovery/rest"],
  ["messagingDataUrl", listOf(ANDROID_APP)],
  ["messagingDataUrl", `${listOf(ANDROID_APP)}:aggregate`],
  ["messagingDataUrl", incidentsOf(ANDROID_APP)],
  ["messagingDataUrl", "/v1beta1/projects"],
  ["messagingDataUrl", "/console/"],
])("GET and HEAD at %s of %s", (...resource) => {
  test.override("resource", resource);

  let etag: string;
  test.beforeEach(async ({ ask }) => {
    etag = (await ask("GET")).headers.etag ?? "";
    expect(etag).toMatch(/^"[^"]+"$/);
  });

  /** Replaces OWN in a header with the response's entity tag. */
  const own = (header: string): string => header.replace("OWN", etag);
  test.for<[status: number, ifMatch: string | undefined, ifNoneMatch: string | undefined]>([
    [200, "OWN", undefined],
    [200, '"other", OWN', undefined],
    [200, "*", undefined],
    [412, '"other"', undefined],
    [412, "W/OWN", undefined],
    [412, "", undefined],
    [304, undefined, "OWN"],
    [304, undefined, "W/OWN"],
    [304, undefined, "*"],
    [200, undefined, '"other"'],
    [304, "OWN", "OWN"],
    [200, "OWN", '"other"'],
    [412, '"other"', "OWN"],
    [412, '"other"', "*"],
  ])("return %i for If-Match %j and If-None-Match %j", async ([status, ifMatch, ifNoneMatch], { ask }) => {
    const headers = {
      ...(ifMatch !== undefined && { "if-match": own(ifMatch) }),
      ...(ifNoneMatch !== undefined && { "if-none-match": own(ifNoneMatch) }),
    };
    const response = await ask("GET", headers);
    expect(response.status).toBe(status);
    expect(response.headers.etag).toBe(status === 412 ? undefined : etag);
    if (status === 412) {
      expect(errorOf(response.text)).toMatchObject({ status: "ABORTED", reason: "PRECONDITION_FAILED" });
    }
    expect(await ask("HEAD", headers)).toMatchObject({ status, text: "" });
  });
});

test("preconditions have no effect on requests that fail for other reasons", async ({ server, viewer }) => {
  const headers = { "if-match": '"other"', "if-none-match": "*" };
  const statusOf = async (target: string, sent: object): Promise<number> =>
    (await send(server.integrityUrl, target, { headers, ...sent })).status;
  expect(await statusOf(CONFIG, {})).toBe(401);
  expect(await statusOf(`${CONFIG}?x=1`, { token: viewer })).toBe(400);
  expect(await statusOf(CONFIG.replace(IOS_APP, "missing"), { token: viewer })).toBe(404);
  expect(await statusOf("/nothing", { token: viewer })).toBe(404);
});
