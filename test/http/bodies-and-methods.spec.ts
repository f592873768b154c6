import { METHODS } from "node:http";
import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { rawExchange } from "../../src/http/testing/raw-exchange.js";
import { listOf } from "../support/data/delivery-data.js";
import { importInto } from "../support/data/import.js";
import { send } from "../support/http/exchange.js";
import { test as serving } from "../support/servers/fixtures.js";
import { ANDROID_APP, BASE_CONFIG, IOS_APP, PROJECT, VIEWER } from "../support/servers/project.js";

const ORIGIN = "https://console.example.com";
type Read = readonly [listener: "integrityUrl" | "messagingDataUrl", target: string, allow: string];
const READS: readonly [Read, Read] = [
  ["integrityUrl", `/v1/projects/${PROJECT.id}/apps/${IOS_APP}/appAttestConfig`, "GET, HEAD, PATCH"],
  ["messagingDataUrl", listOf(ANDROID_APP), "GET, HEAD"],
];
const IMPORT = importInto();

const test = serving
  .extend("open", { scope: "file" }, ({ openSharedServer }) =>
    openSharedServer({ ...BASE_CONFIG, cors: { origins: [ORIGIN] } }),
  )
  /** The read request under test. */
  .extend("read", READS[0])
  .extend(
    "raw",
    ({ server, viewer, read: [listener, target] }) =>
      (headers: string, body = "") =>
        rawExchange(
          server[listener],
          `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${viewer}\r\nConnection: close\r\n${headers}\r\n${body}`,
        ),
  );

describe.each(READS)("the read at %s", (listener, target, allow) => {
  test.override("read", [listener, target, allow]);

  test.for([
    ["a length", "Content-Length: 2\r\n", "{}"],
    ["one byte", "Content-Length: 1\r\n", " "],
    ["a chunk", "Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n"],
    ["a coding", "Content-Encoding: gzip\r\nContent-Length: 2\r\n", "{}"],
  ] as const)("rejects a body with %s", async ([_case, headers, body], { raw }) => {
    const [response] = await raw(headers, body);
    expect(response?.status).toBe(400);
    expect(errorOf(response?.body ?? "")).toMatchObject({
      status: "INVALID_ARGUMENT",
      reason: "REQUEST_BODY_NOT_EMPTY",
    });
  });

  test.for([
    ["length 0", "Content-Length: 0\r\n", ""],
    ["no chunk but the last", "Transfer-Encoding: chunked\r\n", "0\r\n\r\n"],
    ["a type without a body", "Content-Type: application/json\r\n", ""],
  ] as const)("accepts an empty body with %s", async ([_case, headers, body], { raw }) => {
    expect(await raw(headers, body)).toMatchObject([{ status: 200 }]);
  });

  test("checks credentials before the body", async ({ server }) => {
    const response = await send(server[listener], target, { body: "x" });
    expect(response.status).toBe(401);
  });

  const others = METHODS.filter((method) => !`${allow}, CONNECT`.split(", ").includes(method));
  test.for(others)("returns 405 for %s", async (method, { server, viewer }) => {
    const { status, headers, text } = await send(server[listener], target, { method, token: viewer });
    expect(status).toBe(405);
    expect(headers.allow).toBe(allow);
    expect(errorOf(text)).toMatchObject({
      code: 405,
      status: "UNIMPLEMENTED",
      reason: "METHOD_NOT_ALLOWED",
      metadata: { method, allowed: allow },
    });
  });

  test("allows CORS for configured origins only", async ({ open }) => {
    const preflight = (origin: string) =>
      send(open[listener], target, {
        method: "OPTIONS",
        headers: { origin, "access-control-request-method": "GET" },
      });
    const { status, headers, text } = await preflight(ORIGIN);
    expect({ status, text }).toEqual({ status: 204, text: "" });
    expect(headers).toMatchObject({
      "access-control-allow-origin": ORIGIN,
      "access-control-allow-methods": "DELETE, GET, HEAD, PATCH, POST",
      "access-control-allow-headers": expect.stringContaining("authorization"),
      vary: "origin",
    });
    for (const origin of ["https://evil.example.com", "null", `${ORIGIN}.evil.com`, "*"]) {
      const rejected = await preflight(origin);
      expect(rejected.status).toBe(405);
      expect(rejected.headers["access-control-allow-origin"]).toBeUndefined();
    }
  });

  test("sends CORS headers with successes and with errors", async ({ open }) => {
    const allowed = { "access-control-allow-origin": ORIGIN, vary: expect.stringContaining("origin") };
    const own = await open.token(VIEWER);
    for (const [credentials, status] of [
      [own, 200],
      [undefined, 401],
    ] as const) {
      const response = await send(open[listener], target, {
        token: credentials,
        headers: { origin: ORIGIN },
      });
      expect(response).toMatchObject({ status, headers: allowed });
    }
  });

  test("rejects preflight requests if no origin is configured", async ({ server }) => {
    const headers = { origin: ORIGIN, "access-control-request-method": "GET" };
    const response = await send(server[listener], target, { method: "OPTIONS", headers });
    expect(response.status).toBe(405);
    expect(response.headers["access-control-allow-origin"]).toBeUndefined();
  });
});

test("a path without a route returns 404 for every method", async ({ server, viewer }) => {
  for (const method of ["OPTIONS", "POST", "DELETE", "TRACE"]) {
    expect((await send(server.integrityUrl, "/v1/nothing", { method, token: viewer })).status).toBe(404);
  }
});

test("events can be imported only by POST", async ({ server, viewer }) => {
  for (const method of ["GET", "HEAD", "PUT"]) {
    const response = await send(server.messagingDataUrl, IMPORT, { method, token: viewer });
    expect(response).toMatchObject({ status: 405, headers: { allow: "POST" } });
  }
});
