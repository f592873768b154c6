import { decodeJwt } from "jose";
import { describe, expect } from "vitest";
import { rejectionOf } from "../../src/api/testing/error-of.js";
import { listOf } from "../support/data/delivery-data.js";
import { type HttpResponse, type Sent, send } from "../support/http/exchange.js";
import { poll } from "../support/poll.js";
import { loggedRequest } from "../support/servers/log.js";
import { test as serving } from "../support/servers/process-fixtures.js";
import { BASE_CONFIG } from "../support/servers/project.js";
import type { ServerProcess } from "../support/servers/server-process.js";

const SESSION = "/console/demo-session";
const LIST = listOf("1:123456789012:android:0a1b2c3d4e5f", "demo-project");
const DEMO = { demo: true };

serving.override("config", DEMO);
/** Tests with two servers with `--demo`. */
const test = serving.extend("other", { scope: "file" }, ({ openSharedServer }) => openSharedServer(DEMO));

/** The link that the demo prints first. */
async function linkOf(demo: ServerProcess): Promise<URL> {
  const output = await poll(demo.output, (text) => text.includes("curl "));
  const [, link = ""] = /^ {2}(http\S+)$/m.exec(output) ?? [];
  expect(output.indexOf(link)).toBeLessThan(output.indexOf("Access token"));
  return new URL(link);
}

const codeOf = async (demo: ServerProcess): Promise<string> =>
  (await linkOf(demo)).hash.replace("#code=", "");

const post = (demo: ServerProcess, code: unknown, sent: Sent = {}): Promise<HttpResponse> =>
  send(demo.messagingDataUrl, SESSION, {
    method: "POST",
    body: JSON.stringify({ code }),
    ...sent,
    headers: { "content-type": "application/json", ...sent.headers },
  });

/** Expects that the request was accepted, and its code was not. */
const expectInvalidCode = (response: HttpResponse): void => {
  expect(rejectionOf(response)).toEqual([400, "DEMO_CODE_INVALID"]);
  expect(response.headers["cache-control"]).toBe("no-store");
};

describe("the demo link", () => {
  test("opens the page, with a code in the fragment", async ({ server }) => {
    const { origin, pathname, search, hash } = await linkOf(server);
    expect({ origin, pathname, search }).toEqual({
      origin: server.messagingDataUrl,
      pathname: "/console/",
      search: "",
    });
    expect(hash).toMatch(/^#code=[\w-]{32}$/);
  });

  test("can be exchanged only once, for a token that expires after an hour", async ({ server }) => {
    const code = await codeOf(server);
    const response = await post(server, code);
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    const { accessToken, ...rest } = JSON.parse(response.text);
    expect(rest).toEqual({ expiresIn: 3600, principal: "demo@example.com" });
    const { exp = 0, iat = 0, scope } = decodeJwt(accessToken);
    expect([exp - iat, scope]).toEqual([3600, "https://www.googleapis.com/auth/platform"]);
    expect((await send(server.messagingDataUrl, LIST, { token: accessToken })).status).toBe(200);

    expectInvalidCode(await post(server, code));

    const line = await loggedRequest(server, String(response.headers["x-request-id"]));
    expect(line).toMatchObject({ principal: "demo@example.com", msg: "issued an access token" });
    for (const secret of [code, accessToken]) expect(server.log()).not.toContain(secret);
  });

  test("contains a new code after each start", async ({ server, other }) => {
    expect(await codeOf(other)).not.toBe(await codeOf(server));
  });

  test("contains the configured URL", async ({ openServer }) => {
    const demo = await openServer({ ...DEMO, messagingDataUrl: "https://data.example/api/" });
    expect((await linkOf(demo)).href).toMatch(/^https:\/\/data\.example\/api\/console\/#code=/);
  });
});

describe("the demo code", () => {
  test.for<[title: string, headers: Record<string, string>]>([
    ["a page of another origin", { origin: "https://evil.example" }],
    ["another port of this machine", { origin: "http://127.0.0.1:1" }],
    ["a page without an origin", { origin: "null" }],
    ["a page of another site", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }],
    ["a page of another origin of the site", { "sec-fetch-site": "same-site" }],
    ["the address bar", { "sec-fetch-site": "none" }],
  ])("is not exchanged for %s", async ([_, headers], { server }) => {
    const response = await post(server, await codeOf(server), { headers });
    expect(rejectionOf(response)).toEqual([403, "CROSS_ORIGIN_REQUEST"]);
  });

  test("is exchanged for a request from the page, even after rejected attempts", async ({
    server,
    other,
  }) => {
    const code = await codeOf(other);
    for (const wrong of [await codeOf(server), "", "x", code.slice(1), `${code}x`, code.toLowerCase()]) {
      expectInvalidCode(await post(other, wrong));
    }
    await post(other, code, { headers: { origin: "https://evil.example" } });
    const { origin } = new URL(other.messagingDataUrl);
    expect((await post(other, code, { headers: { origin } })).status).toBe(200);
  });

  test("is accepted behind a proxy that changes the host", async ({ server }) => {
    const headers = { origin: "https://data.example", "sec-fetch-site": "same-origin" };
    expectInvalidCode(await post(server, "x", { headers }));
  });
});

test.for<[title: string, sent: Sent, status: number, reason: string]>([
  ["no JSON", { body: "{" }, 400, "MALFORMED_JSON"],
  ["a body that is not an object", { body: '"x"' }, 400, "INVALID_BODY"],
  ["no code", { body: "{}" }, 400, "INVALID_BODY"],
  ["a code that is not a string", { body: '{"code":1}' }, 400, "INVALID_BODY"],
  ["more fields than the code", { body: '{"code":"a","scope":"b"}' }, 400, "INVALID_BODY"],
  ["much", { body: JSON.stringify({ code: "x".repeat(2000) }) }, 413, "BODY_TOO_LARGE"],
  ["a form", { headers: { "content-type": "text/plain" } }, 415, "UNSUPPORTED_MEDIA_TYPE"],
  ["a GET request", { method: "GET" }, 405, "METHOD_NOT_ALLOWED"],
])("the demo code exchange rejects %s", async ([_, sent, status, reason], { server }) => {
  expect(rejectionOf(await post(server, "x", sent))).toEqual([status, reason]);
});

test.for<[title: string, config: object]>([
  ["without a demo", BASE_CONFIG],
  ["without the local issuer", { ...DEMO, auth: { localIssuer: false } }],
  ["without a console", { ...DEMO, console: false }],
])("the server has neither a demo link nor a code exchange %s", async ([_, config], { openServer }) => {
  const demo = await openServer(config);
  expect(rejectionOf(await post(demo, "x"))).toEqual([404, "ROUTE_NOT_FOUND"]);
  expect(demo.output()).not.toContain("#code=");
});
