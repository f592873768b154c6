import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { withResolver } from "@waybill/client/support";
import { pino } from "pino";
import { Registry } from "prom-client";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { errorOf } from "../../api/testing/error-of.js";
import type { Listener } from "../listen/listener.js";
import { type AdminParts, adminListener } from "./admin-listener.js";
import { clockRoutes } from "./clock-routes.js";
import { adminObserver } from "./request-observer.js";
import { ADMIN_ACCESS, ADMIN_HEADERS } from "./testing/admin-access.js";

const HOST = "Waybill.Internal";

let listener: Listener;
let base: string;
beforeEach(async () => {
  const access = { ...ADMIN_ACCESS, hosts: [HOST] };
  listener = adminListener({
    access,
    metrics: new Registry(),
    ready: async () => {},
    routes: clockRoutes(undefined),
  });
  base = await listener.listen("127.0.0.1", 0);
});
afterEach(() => listener.close());

test.each([
  ["GET", "/", 404, "ROUTE_NOT_FOUND"],
  ["GET", "/healthz/", 404, "ROUTE_NOT_FOUND"],
  ["POST", "/healthz", 405, "METHOD_NOT_ALLOWED"],
  ["DELETE", "/metrics?x", 405, "METHOD_NOT_ALLOWED"],
  ["DELETE", "/clock", 405, "METHOD_NOT_ALLOWED"],
] as const)(
  "the admin listener rejects %s %s with the standard error body",
  async (method, url, status, reason) => {
    const headers = url === "/clock" ? ADMIN_HEADERS : {};
    const response = await fetch(base + url, { method, headers });
    expect(response.status).toBe(status);
    expect(response.headers.has("allow")).toBe(status === 405);
    expect(await response.json()).toMatchObject({
      error: { code: status, details: [{ reason, domain: "admin.waybill" }] },
    });
  },
);

/** Sends a request with any `Host`, and headers that may repeat, which `fetch` does not allow. */
function get(host: string, path: string, headers: Record<string, string> = {}) {
  return new Promise<{ readonly status: number | undefined; readonly text: string }>((resolve, reject) => {
    const fields = Object.entries({ host, ...headers }).flat();
    request(base, { path, headers: fields }, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString();
      resolve({ status: response.statusCode, text });
    })
      .on("error", reject)
      .end();
  });
}

describe.each(["/healthz", "/readyz", "/metrics"])("%s", (path) => {
  test.each([
    "127.0.0.1",
    "127.9.8.7:80",
    "localhost:9090",
    "LOCALHOST",
    "[::1]:1",
    "[0:0:0:0:0:0:0:1]:9090",
    "waybill.internal:9090",
  ])("needs no token with Host: %s", async (host) => expect((await get(host, path)).status).toBe(200));

  test.each([
    "evil.example:9090",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "192.0.2.1",
    "127.1.1.999",
    "[::2]",
    "0.0.0.0",
    "x.waybill.internal",
  ])("is not available with Host: %s", async (host) => {
    const { status, text } = await get(host, path, ADMIN_HEADERS);
    expect(status).toBe(421);
    expect(errorOf(text)).toMatchObject({ reason: "HOST_NOT_ALLOWED", domain: "admin.waybill" });
  });

  it("is not available for a request target with another host", async () => {
    expect((await get("localhost", `http://evil.example${path}`)).status).toBe(421);
    expect((await get("evil.example", `http://localhost${path}`)).status).toBe(200);
  });
});

describe.each([
  ["POST", "/backup"],
  ["GET", "/backup"],
  ["GET", "/clock"],
  ["POST", "/clock"],
  ["POST", "/mirror"],
  ["GET", "/mirror/responses?project=1&app=a"],
  ["GET", "/mirror/nothing"],
])("%s %s", (method, path) => {
  test.each([
    ["without a token", {}, "ADMIN_TOKEN_MISSING"],
    ["with another token", { authorization: "Bearer the-admin-tokem" }, "ADMIN_TOKEN_INVALID"],
    ["with a longer token", { authorization: "Bearer the-admin-token1" }, "ADMIN_TOKEN_INVALID"],
    ["without a scheme", { authorization: "the-admin-token" }, "ADMIN_TOKEN_INVALID"],
    ["with another scheme", { authorization: "Basic the-admin-token" }, "ADMIN_TOKEN_INVALID"],
    ["with an empty token", { authorization: "Bearer " }, "ADMIN_TOKEN_INVALID"],
  ] as const)("is rejected %s", async (_, headers, reason) => {
    const response = await fetch(base + path, { method, headers });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toMatch(/^Bearer realm="waybill"/);
    expect(errorOf(await response.text())).toMatchObject({ status: "UNAUTHENTICATED", reason });
  });
});

test("the admin listener rejects two Authorization headers", async () => {
  const { authorization } = ADMIN_HEADERS;
  const { status, text } = await get("localhost", "/clock", { Authorization: authorization, authorization });
  expect([status, errorOf(text).reason]).toEqual([401, "ADMIN_TOKEN_INVALID"]);
});

describe("an admin route with a streamed body", () => {
  let read: string[];
  let released: ReturnType<typeof withResolver<void>>;
  beforeEach(() => {
    read = [];
    released = withResolver();
  });

  /** Serves `a`, and ends the stream after {@link released} has resolved. */
  async function serve(end: () => string, observe: AdminParts["observe"] = () => {}): Promise<string> {
    async function* pieces(): AsyncGenerator<Uint8Array> {
      try {
        read.push("a");
        yield Buffer.from("a");
        await released.promise;
        yield Buffer.from(end());
        read.push("end");
      } finally {
        read.push("closed");
      }
    }
    await listener.close();
    listener = adminListener({
      access: ADMIN_ACCESS,
      metrics: new Registry(),
      ready: async () => {},
      routes: [
        {
          httpMethod: "GET",
          path: "/stream",
          respond: () => ({ body: { contentType: "text/plain", pieces: pieces() } }),
        },
      ],
      observe,
    });
    return `${await listener.listen("127.0.0.1", 0)}/stream`;
  }

  it("sends each piece as soon as it is available", async () => {
    const response = await fetch(await serve(() => "b"));
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/plain"]);
    const reader = response.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("a");
    released.resolve();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("b");
    expect((await reader?.read())?.done).toBe(true);
    expect(read).toEqual(["a", "end", "closed"]);
  });

  it("closes the connection and logs the cause if reading the body fails", async () => {
    const lines: object[] = [];
    const logger = pino({}, { write: (line) => lines.push(JSON.parse(line)) });
    const url = await serve(() => {
      throw new Error("no more");
    }, adminObserver(logger));
    expect((await fetch(new URL("/healthz", url))).status).toBe(200);
    expect((await fetch(new URL("/nope", url))).status).toBe(404);
    const response = await fetch(url);
    released.resolve();
    await expect(response.text()).rejects.toThrow("terminated");
    await expect.poll(() => lines.length).toBe(1);
    await listener.close();
    expect(lines).toMatchObject([
      { service: "admin", operation: "/stream", status: 500, err: { message: "no more" }, msg: "request" },
    ]);
  });

  it("stops reading the body when the client has disconnected", async () => {
    const url = new URL(await serve(() => "b"));
    const socket = connect(Number(url.port), url.hostname);
    socket.write(`GET ${url.pathname} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await once(socket, "data");
    socket.destroy();
    await listener.close();
    released.resolve();
    await expect.poll(() => read).toEqual(["a", "closed"]);
  });

  it("does not read the body for a HEAD request", async () => {
    const response = await fetch(await serve(() => "b"), { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect(read).toEqual([]);
  });
});
