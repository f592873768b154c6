import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect } from "vitest";
import { errorOf, rejectionOf } from "../../src/api/testing/error-of.js";
import { type HttpResponse, send } from "../support/http/exchange.js";
import { test as serving } from "../support/servers/fixtures.js";
import { loggedRequest } from "../support/servers/log.js";
import { BASE_CONFIG } from "../support/servers/project.js";
import type { Server } from "../support/servers/server.js";

const PAGE = "/console/";
const SETTINGS = "/console/config.json";
/** The settings within the page, which browsers do not run. */
const SETTINGS_ELEMENT = /<script type="application\/json" id="settings">([^<]*)<\/script>/;
/** Maximum bytes transferred for the first view. */
const FIRST_LOAD_LIMIT = 200_000;
let html: string;
/** Paths of files that the page loads. */
let files: string[];

const OAUTH = {
  issuer: "https://accounts.example/tenant",
  clientId: "console",
  origins: ["https://tokens.example", "https://accounts.example"],
};

serving.override("config", { ...BASE_CONFIG, messagingData: { settleDelay: "90m" } });
const test = serving
  /** A server with configured addresses and sign-in. */
  .extend("configured", { scope: "file" }, ({ openSharedServer }) =>
    openSharedServer({
      ...BASE_CONFIG,
      messagingDataUrl: "https://data.example/api",
      integrityUrl: "https://apps.example/v",
      registryUrl: "https://registry.example/v",
      console: { oauth: OAUTH },
    }),
  )
  .extend(
    "get",
    { scope: "file" },
    ({ server }) =>
      (target: string, headers: Record<string, string> = {}, method = "GET"): Promise<HttpResponse> =>
        send(server.messagingDataUrl, target, { method, headers }),
  )
  .extend(
    "allowedTo",
    ({ server }) =>
      async (
        origin: string,
        { integrityUrl, registryUrl }: Partial<Pick<Server, "integrityUrl" | "registryUrl">> = server,
      ): Promise<unknown> => {
        const headers = { origin, "access-control-request-method": "GET" };
        const allowed = new Set<unknown>();
        for (const url of [integrityUrl, registryUrl]) {
          if (url === undefined) continue;
          const { headers: responded } = await send(url, "/v1/x", { method: "OPTIONS", headers });
          allowed.add(responded["access-control-allow-origin"]);
        }
        expect(allowed.size).toBe(1);
        return [...allowed][0];
      },
  );

const CONFIGURED_POLICY = policyFor(
  "'self'",
  "https://apps.example",
  "https://registry.example",
  "https://accounts.example",
  "https://tokens.example",
);

test.beforeAll(async ({ get }) => {
  html = (await get(PAGE)).text;
  files = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, name = ""]) => PAGE + name);
});

/** Path of a loaded file with a suffix. */
function fileOf(suffix: string): string {
  const file = files.find((name) => name.endsWith(suffix));
  if (file === undefined) throw new Error(`the page names no ${suffix}: ${html}`);
  return file;
}

/** Headers of scripts and styles. */
const FILE_HEADERS = {
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
};

/** Headers of everything that a browser may show as a document. */
const DOCUMENT_HEADERS = {
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": expect.stringContaining("camera=()"),
  "x-frame-options": "DENY",
};

describe("the console", () => {
  test.for<[name: string, target: () => string, type: string, cacheControl: string]>([
    ["the page", () => PAGE, "text/html; charset=utf-8", "no-cache"],
    ["a view", () => `${PAGE}?project=a&x=%00&access_token=b&x`, "text/html; charset=utf-8", "no-cache"],
    [
      "its script",
      () => fileOf(".js"),
      "text/javascript; charset=utf-8",
      "public, max-age=31536000, immutable",
    ],
    ["its style", () => fileOf(".css"), "text/css; charset=utf-8", "public, max-age=31536000, immutable"],
    ["its icon", () => fileOf(".svg"), "image/svg+xml", "public, max-age=31536000, immutable"],
    ["its settings", () => SETTINGS, "application/json; charset=utf-8", "no-store"],
  ])("sends %s with security headers", async ([_, target, type, cacheControl], { server, get }) => {
    const { status, headers, bytes } = await get(target());
    expect(status).toBe(200);
    expect(headers).toMatchObject({ ...FILE_HEADERS, "content-type": type, "cache-control": cacheControl });
    // Scripts and styles are never documents.
    if (!/javascript|css/.test(type)) {
      expect(headers).toMatchObject(DOCUMENT_HEADERS);
      expect(policyOf(headers)).toEqual(policyFor("'self'", server.integrityUrl, server.registryUrl));
    }
    expect(bytes.length).toBeGreaterThan(0);

    const head = await get(target(), {}, "HEAD");
    expect(head).toMatchObject({ status: 200, text: "" });
    const { date: _date, "x-request-id": _id, ...same } = headers;
    expect(head.headers).toMatchObject(same);
  });

  test.for<[string, () => string]>([
    ["no-cache", () => PAGE],
    ["immutable", () => fileOf(".js")],
  ])("returns 304 for a matching If-None-Match (%s)", async ([_, target], { get }) => {
    for (const coding of ["identity", "gzip", "br"]) {
      const accept = { "accept-encoding": coding };
      const { etag = "" } = (await get(target(), accept)).headers;
      const again = await get(target(), { ...accept, "if-none-match": etag });
      expect(again).toMatchObject({ status: 304, text: "", headers: { ...FILE_HEADERS, etag } });
      const other = await get(target(), { ...accept, "if-none-match": '"other"' });
      expect(other.status).toBe(200);
    }
  });

  test("compresses files with the coding that the browser prefers", async ({ get }) => {
    const plain = await get(fileOf(".js"));
    expect(plain.headers["content-encoding"]).toBeUndefined();
    const codings = [
      ["gzip", gunzipSync],
      ["br", brotliDecompressSync],
    ] as const;
    for (const [coding, decompress] of codings) {
      const { headers, bytes } = await get(fileOf(".js"), { "accept-encoding": coding });
      expect(headers).toMatchObject({ "content-encoding": coding, vary: "accept-encoding" });
      expect(bytes.length).toBeLessThan(plain.bytes.length / 2);
      expect(decompress(bytes).equals(plain.bytes)).toBe(true);
    }
  });

  test("loads less than 200 KB of compressed files", async ({ get }) => {
    const accept = { "accept-encoding": "gzip" };
    const responses = await Promise.all([PAGE, ...files].map((file) => get(file, accept)));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    expect(files.length).toBeGreaterThanOrEqual(3);
    expect(responses.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBeLessThan(FIRST_LOAD_LIMIT);
  });

  test("contains no HTML that violates its content security policy", () => {
    const code = html.replace(SETTINGS_ELEMENT, "");
    expect(code).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)|https?:\/\//i);
  });

  test.for([
    ["/console", "console/"],
    ["/console?project=a&label=b%20c", "console/?project=a&label=b%20c"],
  ] as const)(
    "redirects %s with a relative address, which works below any path of a proxy",
    async ([target, location], { get }) => {
      const { status, headers, text } = await get(target);
      expect({ status, location: headers.location, text }).toEqual({ status: 308, location, text: "" });
    },
  );

  test("sends service URLs and the settle delay within the page", async ({ server, get }) => {
    const { text } = await get(SETTINGS);
    expect(SETTINGS_ELEMENT.exec(html)?.[1]).toBe(text);
    expect(JSON.parse(text)).toEqual({
      integrityUrl: server.integrityUrl,
      registryUrl: server.registryUrl,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      settleDelayMs: 90 * 60_000,
      scopeBase: "https://www.googleapis.com/auth",
    });
  });
});

describe("the console server", () => {
  test.for([
    "/console/index.html",
    "/console/index.html.br",
    "/console/assets",
    "/console/assets/",
    "/console/assets/none.js",
    "/console/assets/../index.html",
    "/console/..%2fserver/version.js",
    "/console/assets/..%2f..%2fserver%2fversion.js",
    "/console/assets/%2e%2e/%2e%2e/server/version.js",
    "/console/assets/..\\..\\server\\version.js",
    "/console/assets/%252e%252e%252fserver",
    "/console//etc/passwd",
    "/console//console/",
    "//console/",
    "/console/%00",
    "/Console/",
    "/console/config.json/",
    "/console/demo-session",
    "/console/../../../../etc/passwd",
    "http://any/console/assets/../../server/version.js",
  ])("returns 404 for %s", async (target, { get }) => {
    const { status, text } = await get(target);
    expect(status).toBe(404);
    expect(errorOf(text)).toMatchObject({ reason: "ROUTE_NOT_FOUND", domain: "messaging-data.waybill" });
  });

  test("returns 404 for names of compressed files", async ({ get }) => {
    for (const suffix of [".br", ".gz"]) {
      expect((await get(`${fileOf(".js")}${suffix}`)).status).toBe(404);
      expect((await get(fileOf(".js").toUpperCase())).status).toBe(404);
    }
  });

  test.for(["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])("returns 405 for %s", async (method, { get }) => {
    for (const target of [PAGE, "/console", SETTINGS, fileOf(".js")]) {
      const { status, headers, text } = await get(target, {}, method);
      expect([status, headers.allow, errorOf(text).reason]).toEqual([405, "GET, HEAD", "METHOD_NOT_ALLOWED"]);
    }
  });

  test("returns 404 for the console on other listeners", async ({ server }) => {
    for (const url of [server.integrityUrl, server.registryUrl, server.adminUrl]) {
      expect((await send(url, PAGE)).status).toBe(404);
    }
  });
});

describe("metrics and logs", () => {
  test("contain page requests without the query", async ({ server, get }) => {
    const { headers } = await get(`${PAGE}?project=secret-view`);
    const line = await loggedRequest(server, String(headers["x-request-id"]));
    expect(line).toMatchObject({ operation: PAGE, path: PAGE, status: 200 });
    expect(server.log()).not.toContain("secret-view");
  });

  test("count all files as one operation", async ({ server, get }) => {
    const { headers } = await get(fileOf(".js"));
    const line = await loggedRequest(server, String(headers["x-request-id"]));
    expect(line.operation).toBe("/console/assets/*");
    expect((await send(server.adminUrl, "/metrics")).text).toContain('operation="/console/assets/*"');
  });
});

describe("the app-integrity and registry services", () => {
  test("allow CORS requests from the page at any local host name", async ({ server, allowedTo }) => {
    const { port } = new URL(server.messagingDataUrl);
    for (const host of ["127.0.0.1", "localhost", "[::1]"]) {
      expect(await allowedTo(`http://${host}:${port}`)).toBe(`http://${host}:${port}`);
    }
    for (const origin of ["http://localhost", `http://localhost.evil.example:${port}`, "null"]) {
      expect(await allowedTo(origin)).toBeUndefined();
    }
  });

  test("allow CORS requests from the page at the configured URL", async ({ configured, allowedTo }) => {
    expect(await allowedTo("https://data.example", configured)).toBe("https://data.example");
    expect(await allowedTo(new URL(configured.messagingDataUrl).origin, configured)).toBeUndefined();
    const { headers, text } = await send(configured.messagingDataUrl, SETTINGS);
    expect(JSON.parse(text)).toMatchObject({
      integrityUrl: "https://apps.example/v",
      registryUrl: "https://registry.example/v",
    });
    expect(policyOf(headers)).toEqual(CONFIGURED_POLICY);
  });

  test.for(["::1", "::"])(
    "listening on %s, have addresses that the page's policy can contain",
    async (host, { openServer }) => {
      const other = await openServer({ ...BASE_CONFIG, host });
      const [integrityUrl = "", registryUrl = ""] = [other.integrityUrl, other.registryUrl].map(
        (url) => `http://localhost:${new URL(url).port}`,
      );
      const { headers, text } = await send(other.messagingDataUrl.replace("[::]", "[::1]"), SETTINGS);
      expect(JSON.parse(text)).toMatchObject({ integrityUrl, registryUrl });
      expect(policyOf(headers)).toEqual(policyFor("'self'", integrityUrl, registryUrl));
    },
  );

  test.for(["integrity", "registry"])(
    "allow CORS requests from the configured URL if %s runs in its own process",
    async (only, { openServer, allowedTo }) => {
      const page = "https://data.example";
      const server = await openServer({ ...BASE_CONFIG, messagingDataUrl: `${page}/api`, only });
      expect(await allowedTo(page, server)).toBe(page);
      expect(await allowedTo("https://other.example", server)).toBeUndefined();
    },
  );

  test("reject CORS requests if the console is off, and the server has no console", async ({
    openServer,
    allowedTo,
  }) => {
    const off = await openServer({ ...BASE_CONFIG, console: false });
    expect(await allowedTo(new URL(off.messagingDataUrl).origin, off)).toBeUndefined();
    for (const target of [PAGE, "/console", SETTINGS, fileOf(".js")]) {
      expect(rejectionOf(await send(off.messagingDataUrl, target))).toEqual([404, "ROUTE_NOT_FOUND"]);
    }
  });
});

test("the content security policy allows the configured OAuth 2.0 issuer", async ({ configured }) => {
  const { headers, text } = await send(configured.messagingDataUrl, SETTINGS);
  expect(JSON.parse(text).oauth).toEqual({
    issuer: OAUTH.issuer,
    clientId: "console",
    scope: "openid email https://www.googleapis.com/auth/platform",
  });
  expect(policyOf(headers)).toEqual(CONFIGURED_POLICY);
});

test("the page receives the addresses of other services only if they are configured", async ({
  openServer,
}) => {
  const configured = { integrityUrl: "https://apps.example", registryUrl: "https://registry.example" };
  for (const [config, urls] of [
    [{}, { integrityUrl: null, registryUrl: null }],
    [configured, configured],
  ] as const) {
    const only = await openServer({ ...BASE_CONFIG, ...config, only: "messaging-data" });
    expect(JSON.parse((await send(only.messagingDataUrl, SETTINGS)).text)).toMatchObject(urls);
  }
});

function policyOf(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const directives = String(headers["content-security-policy"]).split("; ");
  return Object.fromEntries(directives.map((directive) => directive.split(/ (.*)/, 2)));
}

/** The expected policy for a page that may connect to `sources`. */
function policyFor(...sources: readonly string[]): Record<string, string> {
  return {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' blob: data:",
    "font-src": "'self'",
    "connect-src": sources.join(" "),
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "'none'",
  };
}
