import { METHODS } from "node:http";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { rawExchange } from "../../src/http/testing/raw-exchange.js";
import { listOf } from "../support/delivery-data.js";
import { send } from "../support/exchange.js";
import { type OpenServer, openServer } from "../support/open-server.js";
import { ANDROID_APP, BASE_CONFIG, IOS_APP, PROJECT, VIEWER } from "../support/waybill.js";

const ORIGIN = "https://console.example.com";
const READS = [
  ["integrityUrl", `/v1/projects/${PROJECT.id}/apps/${IOS_APP}/appAttestConfig`, "GET, HEAD, PATCH"],
  ["messagingDataUrl", listOf(ANDROID_APP), "GET, HEAD"],
] as const;
const IMPORT = `/v1beta1/projects/${PROJECT.id}/messageEvents:import`;

let server: OpenServer;
let open: OpenServer;
let token: string;
beforeAll(async () => {
  [server, open] = await Promise.all([
    openServer(),
    openServer({ ...BASE_CONFIG, cors: { origins: [ORIGIN] } }),
  ]);
  token = await server.token(VIEWER);
});
afterAll(() => Promise.all([server.close(), open.close()]));

describe.each(READS)("the read at %s", (listener, target, allow) => {
  const raw = (headers: string, body = "") =>
    rawExchange(
      server[listener],
      `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n${headers}\r\n${body}`,
    );

  test.each([
    ["a length", "Content-Length: 2\r\n", "{}"],
    ["one byte", "Content-Length: 1\r\n", " "],
    ["a chunk", "Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n"],
    ["a coding", "Content-Encoding: gzip\r\nContent-Length: 2\r\n", "{}"],
  ])("rejects a body with %s", async (_case, headers, body) => {
    const [answer] = await raw(headers, body);
    expect(answer?.status).toBe(400);
    expect(errorOf(answer?.body ?? "")).toMatchObject({
      status: "INVALID_ARGUMENT",
      reason: "REQUEST_BODY_NOT_EMPTY",
    });
  });

  test.each([
    ["length 0", "Content-Length: 0\r\n", ""],
    ["no chunk but the last", "Transfer-Encoding: chunked\r\n", "0\r\n\r\n"],
    ["a type without a body", "Content-Type: application/json\r\n", ""],
  ])("accepts an empty body with %s", async (_case, headers, body) => {
    expect(await raw(headers, body)).toMatchObject([{ status: 200 }]);
  });

  it("checks credentials before the body", async () => {
    const answer = await send(server[listener], target, { body: "x" });
    expect(answer.status).toBe(401);
  });

  const others = METHODS.filter((method) => !`${allow}, CONNECT`.split(", ").includes(method));
  test.each(others)("answers 405 to %s", async (method) => {
    const { status, headers, text } = await send(server[listener], target, { method, token });
    expect(status).toBe(405);
    expect(headers.allow).toBe(allow);
    expect(errorOf(text)).toMatchObject({
      code: 405,
      status: "UNIMPLEMENTED",
      reason: "METHOD_NOT_ALLOWED",
      metadata: { method, allowed: allow },
    });
  });

  it("allows CORS for the listed origins only", async () => {
    const preflight = (origin: string) =>
      send(open[listener], target, {
        method: "OPTIONS",
        headers: { origin, "access-control-request-method": "GET" },
      });
    const { status, headers, text } = await preflight(ORIGIN);
    expect({ status, text }).toEqual({ status: 204, text: "" });
    expect(headers).toMatchObject({
      "access-control-allow-origin": ORIGIN,
      "access-control-allow-methods": expect.stringContaining("GET"),
      "access-control-allow-headers": expect.stringContaining("authorization"),
      vary: "origin",
    });
    for (const origin of ["https://evil.example.com", "null", `${ORIGIN}.evil.com`, "*"]) {
      const refused = await preflight(origin);
      expect(refused.status).toBe(405);
      expect(refused.headers["access-control-allow-origin"]).toBeUndefined();
    }
  });

  it("sends CORS headers with successes and with errors", async () => {
    const allowed = { "access-control-allow-origin": ORIGIN, vary: expect.stringContaining("origin") };
    const own = await open.token(VIEWER);
    for (const [credentials, status] of [
      [own, 200],
      [undefined, 401],
    ] as const) {
      const answer = await send(open[listener], target, { token: credentials, headers: { origin: ORIGIN } });
      expect(answer).toMatchObject({ status, headers: allowed });
    }
  });

  it("refuses preflights if no origin is listed", async () => {
    const headers = { origin: ORIGIN, "access-control-request-method": "GET" };
    const answer = await send(server[listener], target, { method: "OPTIONS", headers });
    expect(answer.status).toBe(405);
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
  });
});

test("a path without a route is not found by any method", async () => {
  for (const method of ["OPTIONS", "POST", "DELETE", "TRACE"]) {
    expect((await send(server.integrityUrl, "/v1/nothing", { method, token })).status).toBe(404);
  }
});

test("events can be imported by POST only", async () => {
  for (const method of ["GET", "HEAD", "PUT"]) {
    const answer = await send(server.messagingDataUrl, IMPORT, { method, token });
    expect(answer).toMatchObject({ status: 405, headers: { allow: "POST" } });
  }
});
