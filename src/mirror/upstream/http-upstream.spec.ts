import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, test } from "vitest";
import { dayOfCivil } from "../../model/day.js";
import { HttpUpstream, type HttpUpstreamOptions, type UpstreamLimits } from "./http-upstream.js";
import {
  type ScriptedResponse,
  type ScriptedUpstream,
  scriptedUpstream,
} from "./testing/scripted-upstream.js";
import { StaticCredentials } from "./testing/static-credentials.js";
import { digestOf, type UpstreamBody, UpstreamError, type UpstreamPage } from "./upstream.js";

const APP = "1:123456789012:android:0a1b2c3d4e5f";
const NOW = Date.UTC(2026, 10, 22, 12);
const TODAY = dayOfCivil(2026, 11, 22);
const CLOCK = { wall: () => NOW, monotonic: () => 0 };
const MIB = 1024 * 1024;
const LIMITS: UpstreamLimits = {
  responseBytes: MIB,
  silenceMs: 60_000,
  responseMs: 60_000,
  pages: 100,
  entries: 100,
  apps: 100,
};

let server: ScriptedUpstream | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function upstreamOf(
  responses: readonly ScriptedResponse[],
  options: Partial<HttpUpstreamOptions> = {},
) {
  server = await scriptedUpstream(responses);
  return new HttpUpstream({
    url: server.origin,
    project: "demo-project",
    credentials: new StaticCredentials(["s3cret", "s3cond"]),
    clock: CLOCK,
    today: () => TODAY,
    ...options,
  });
}

/** Reads all pages, and returns them with the error that ends them. */
async function walk(
  upstream: HttpUpstream,
  signal = new AbortController().signal,
): Promise<{ pages: UpstreamPage[]; kept: UpstreamBody[]; error?: unknown }> {
  const pages: UpstreamPage[] = [];
  const kept: UpstreamBody[] = [];
  const keep = async (body: UpstreamBody) => void kept.push(body);
  try {
    for await (const page of upstream.pages(APP, signal, keep)) pages.push(page);
    return { pages, kept };
  } catch (error) {
    return { pages, kept, error };
  }
}

const entry = (day: number, analyticsLabel: string, countMessagesAccepted = "100") => ({
  appId: APP,
  date: { year: 2026, month: 11, day },
  analyticsLabel,
  data: { countMessagesAccepted, messageOutcomePercents: { delivered: 25 } },
});

/** Sends spaces until the connection ends. */
function endlessly(status: number): ScriptedResponse {
  return (_, response) => {
    response.writeHead(status);
    const blanks = Buffer.alloc(64 * 1024, " ");
    const more = (): void => {
      while (!response.destroyed && response.write(blanks));
    };
    response.on("drain", more);
    more();
  };
}

/** Sends a byte every millisecond until the connection ends. */
const drip: ScriptedResponse = (request, response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write(" "), 1);
  request.socket.on("close", () => clearInterval(timer));
};

it("HttpUpstream reads all pages of an app lazily", async () => {
  const upstream = await upstreamOf([
    { body: { androidDeliveryData: [entry(21, "a")], nextPageToken: "t/1" } },
    { body: { androidDeliveryData: [entry(20, "a")] } },
  ]);
  const { pages, kept, error } = await walk(upstream);
  expect(error).toBeUndefined();
  expect(
    pages.map(({ entries }) => [...entries.values()].map(({ day, label }) => [day - TODAY, label])),
  ).toEqual([[[-1, "a"]], [[-2, "a"]]]);
  expect(pages.map(({ fetchedAt, problems }) => [fetchedAt, problems])).toEqual([
    [NOW, []],
    [NOW, []],
  ]);
  const path = `/v1beta1/projects/demo-project/androidApps/${APP}/deliveryData?pageSize=10000`;
  expect(server?.targets).toEqual([path, `${path}&pageToken=t%2F1`]);
  expect(pages.map(({ digest }) => digest)).toEqual(kept.map(({ body }) => digestOf(body)));
  expect(kept.map(({ url }) => url)).toEqual(server?.targets.map((target) => `${server?.origin}${target}`));
  expect(server?.authorizations).toEqual(["Bearer s3cret", "Bearer s3cret"]);
});

describe("HttpUpstream accepts gzip", () => {
  const entries = Array.from({ length: 20 }, (_, index) => entry(21, `${index}`));
  const text = JSON.stringify({ androidDeliveryData: entries });
  const packed = gzipSync(text);
  const members = Buffer.concat([gzipSync(text.slice(0, 150)), gzipSync(text.slice(150))]);

  test.each<[string, Buffer, string, Buffer | undefined]>([
    ["and keeps it", packed, text, packed],
    ["in several members, and keeps it", members, text, members],
    ["that is longer than the body, without keeping it", gzipSync(text, { level: 0 }), text, undefined],
    ["that ends early, without keeping it", packed.subarray(0, -8), text, undefined],
    [
      "followed by zeros, and keeps it",
      Buffer.concat([packed, Buffer.alloc(8)]),
      text,
      Buffer.concat([packed, Buffer.alloc(8)]),
    ],
    [
      "followed by a part of another member, without keeping it",
      Buffer.concat([packed, packed.subarray(0, 2)]),
      text,
      undefined,
    ],
  ])("%s", async (_, body, expected, gzip) => {
    const upstream = await upstreamOf([{ headers: { "content-encoding": "gzip" }, body }]);
    const { pages, kept } = await walk(upstream);
    expect(pages[0]?.entries.size).toBe(20);
    expect(kept.map((one) => [Buffer.from(one.body).toString(), one.gzip && Buffer.from(one.gzip)])).toEqual([
      [expected, gzip],
    ]);
  });
});

it("HttpUpstream continues after an empty page with a token", async () => {
  const upstream = await upstreamOf([
    { body: { nextPageToken: "a" } },
    { body: { androidDeliveryData: [entry(21, "a")] } },
  ]);
  const { pages, error } = await walk(upstream);
  expect(error).toBeUndefined();
  expect(pages.map(({ entries }) => entries.size)).toEqual([0, 1]);
});

it("HttpUpstream tries again with a new token if the first one was rejected", async () => {
  const upstream = await upstreamOf([{ status: 401 }, { body: {} }]);
  expect((await walk(upstream)).error).toBeUndefined();
  expect(server?.authorizations).toEqual(["Bearer s3cret", "Bearer s3cond"]);
});

it.each<[string, ScriptedResponse]>([
  ["readable", { body: { androidDeliveryData: [entry(21, "a")] } }],
  ["unreadable", { body: { androidDeliveryData: 5 } }],
])("HttpUpstream returns no page, even a %s one, if the page cannot be stored", async (_name, response) => {
  const upstream = await upstreamOf([response]);
  const keep = () => new Promise<void>((_, reject) => setImmediate(reject, new Error("disk full")));
  const pages = upstream.pages(APP, new AbortController().signal, keep);
  await expect(pages.next()).rejects.toThrow("disk full");
});

it("HttpUpstream keeps the path in its URL", async () => {
  const upstream = await upstreamOf([{ body: {} }]);
  const below = new HttpUpstream({
    url: `${server?.origin}/behind/proxy/`,
    project: "p q",
    credentials: new StaticCredentials(["s3cret"]),
    clock: CLOCK,
    today: () => TODAY,
  });
  expect(upstream).toBeDefined();
  await walk(below);
  expect(server?.targets[0]).toMatch(/^\/behind\/proxy\/v1beta1\/projects\/p%20q\/androidApps\/1:1/);
});

describe("HttpUpstream with a repeated entry", () => {
  const otherwise = entry(21, "a", "200");
  const DIFFERENT = "an entry appears twice, with different content: 2026-11-21 a";

  test.each<[string, object[][], string[][], string[][]]>([
    ["returns it once from one page", [[entry(21, "a"), entry(21, "a")]], [["100"]], [[]]],
    [
      "returns it once from two pages",
      [[entry(21, "a")], [entry(21, "a"), entry(20, "a")]],
      [["100"], ["100"]],
      [[], []],
    ],
    [
      "returns the last one of different entries on one page",
      [[entry(21, "a"), otherwise]],
      [["200"]],
      [[DIFFERENT]],
    ],
    [
      "returns the last one of different entries on two pages",
      [[entry(21, "a")], [otherwise]],
      [["100"], ["200"]],
      [[], [DIFFERENT]],
    ],
  ])("%s", async (_, given, accepted, problems) => {
    const responses = given.map((androidDeliveryData, i) => ({
      body: { androidDeliveryData, ...(i < given.length - 1 && { nextPageToken: `t${i}` }) },
    }));
    const { pages, error } = await walk(await upstreamOf(responses));
    expect(error).toBeUndefined();
    expect(pages.map((page) => page.problems)).toEqual(problems);
    expect(
      pages.map(({ entries }) => [...entries.values()].map(({ counts }) => String(counts?.[0]))),
    ).toEqual(accepted);
  });
});

/** An error in the upstream format (AIP-193). */
const failed = (code: number, status: string, message: string, details: readonly object[] = []) => ({
  error: { code, status, message, details },
});

describe("HttpUpstream ends a walk after it has returned the pages before an error", () => {
  const packed = gzipSync(
    JSON.stringify({ androidDeliveryData: Array.from({ length: 50 }, (_, i) => entry(1, `${i}`)) }),
  );
  const halfPacked = { headers: { "content-encoding": "gzip" }, body: packed.subarray(0, packed.length / 2) };
  const first: ScriptedResponse = { body: { androidDeliveryData: [entry(21, "a")], nextPageToken: "t" } };
  const quota = failed(403, "PERMISSION_DENIED", "Slow down.", [{ reason: "RATE_LIMIT_EXCEEDED" }]);

  test.each<[string, ScriptedResponse, object]>([
    [
      "401, twice",
      { status: 401, body: failed(401, "UNAUTHENTICATED", "The token s3cond is expired.") },
      { kind: "credentials", message: "HTTP status 401: The token … is expired." },
    ],
    [
      "403",
      { status: 403, headers: { "retry-after": "5" }, body: failed(403, "PERMISSION_DENIED", "No role.") },
      { kind: "credentials", message: "HTTP status 403: No role.", retryAfterMs: undefined },
    ],
    [
      "403 for quota",
      { status: 403, headers: { "retry-after": "5" }, body: quota },
      { kind: "unavailable", message: "HTTP status 403: Slow down.", retryAfterMs: 5_000 },
    ],
    [
      "404",
      { status: 404, body: failed(404, "NOT_FOUND", "Nothing here.") },
      {
        kind: "form",
        message: "HTTP status 404 (no such project or app, or another address): Nothing here.",
      },
    ],
    [
      "429 with seconds",
      { status: 429, headers: { "retry-after": "7" } },
      { kind: "unavailable", message: "HTTP status 429", retryAfterMs: 7_000 },
    ],
    [
      "429 with a date, by its own clock",
      {
        status: 429,
        headers: { date: "Sun, 01 Mar 2020 10:00:00 GMT", "retry-after": "Sun, 01 Mar 2020 10:01:00 GMT" },
      },
      { kind: "unavailable", retryAfterMs: 60_000 },
    ],
    [
      "429 with a date, without its clock",
      (_, response) => {
        response.sendDate = false;
        response.writeHead(429, { "retry-after": "Sun, 22 Nov 2026 12:01:00 GMT" }).end();
      },
      { kind: "unavailable", retryAfterMs: 60_000 },
    ],
    [
      "429 with a date in a thousand years",
      { status: 429, headers: { "retry-after": "Sun, 22 Nov 3026 12:01:00 GMT" } },
      { kind: "unavailable", retryAfterMs: 86_400_000 },
    ],
    ["429 without a time", { status: 429 }, { kind: "unavailable", retryAfterMs: undefined }],
    [
      "500 in HTML",
      { status: 500, headers: { "content-type": "text/html" }, body: "<html>Oops</html>" },
      { kind: "unavailable", message: "HTTP status 500" },
    ],
    [
      "503 with a long message of two lines",
      { status: 503, body: failed(503, "UNAVAILABLE", `a\n${"b".repeat(1_000)}`) },
      { kind: "unavailable", message: `HTTP status 503: a\u{fffd}${"b".repeat(198)}…` },
    ],
    ["500 with a body without end", endlessly(500), { kind: "unavailable", message: "HTTP status 500" }],
    ["400", { status: 400, body: { error: "odd" } }, { kind: "form", message: "HTTP status 400: odd" }],
    ["204", { status: 204 }, { kind: "form", message: "HTTP status 204" }],
    [
      "a redirect",
      { status: 302, headers: { location: "/elsewhere" } },
      { kind: "form", message: "HTTP status 302" },
    ],
    [
      "a connection that is closed before the response",
      (request) => request.socket.destroy(),
      { kind: "unavailable", message: "the connection failed: UND_ERR_SOCKET" },
    ],
    [
      "a connection that is closed during the response",
      (_, response) => {
        response.writeHead(200, { "content-length": 1_000 });
        response.write('{"androidDeliveryData":[', () => response.socket?.destroy());
      },
      { kind: "unavailable", message: "the connection failed: UND_ERR_SOCKET" },
    ],
    [
      "a head without end",
      (_, response) => response.writeHead(200, { "x-large": "a".repeat(100_000) }).end("{}"),
      { kind: "unavailable", message: "the connection failed: UND_ERR_HEADERS_OVERFLOW" },
    ],
    [
      "a page that is longer than the limit",
      endlessly(200),
      { kind: "form", message: "the response is longer than 1048576 bytes" },
    ],
    [
      "a compressed page that is longer than the limit",
      { headers: { "content-encoding": "gzip" }, body: gzipSync(Buffer.alloc(16 * MIB, " ")) },
      { kind: "form", message: "the response is longer than 1048576 bytes" },
    ],
    [
      "a compressed page that ends early and is longer than the limit",
      {
        headers: { "content-encoding": "gzip" },
        body: gzipSync(Buffer.alloc(16 * MIB, " ")).subarray(0, -8),
      },
      { kind: "form", message: "the response is longer than 1048576 bytes" },
    ],
    [
      "a page that is not compressed as declared",
      { headers: { "content-encoding": "gzip" }, body: "{}" },
      { kind: "form", message: "the response cannot be decompressed: Z_DATA_ERROR" },
    ],
    [
      "a page with a coding that was not requested",
      { headers: { "content-encoding": "br" }, body: "{}" },
      { kind: "form", message: "the response has an unknown Content-Encoding: br" },
    ],
    [
      "500 with a compressed body",
      {
        status: 500,
        headers: { "content-encoding": "gzip" },
        body: gzipSync(JSON.stringify(failed(500, "INTERNAL", "Oops."))),
      },
      { kind: "unavailable", message: "HTTP status 500: Oops." },
    ],
    [
      "500 with a body that is not compressed as declared",
      { status: 500, headers: { "content-encoding": "gzip" }, body: "{}" },
      { kind: "unavailable", message: "HTTP status 500" },
    ],
  ])("at %s", async (_, result, expected) => {
    const upstream = await upstreamOf([first, result], { limits: LIMITS });
    const { pages, error } = await walk(upstream);
    expect(pages.map(({ entries }) => entries.size)).toEqual([1]);
    expect(error).toBeInstanceOf(UpstreamError);
    expect(error).toMatchObject(expected);
    expect(String((error as UpstreamError).stack)).not.toMatch(/s3c/);
    expect(server?.targets.filter((target) => !target.includes("/deliveryData"))).toEqual([]);
  });

  test.each<[string, ScriptedResponse[], number, string]>([
    ["a token that leads back to itself", [first], 2, "a page token leads back to an earlier page"],
    [
      "a token that leads back to an earlier page",
      [first, { body: { nextPageToken: "u" } }, first],
      3,
      "a page token leads back to an earlier page",
    ],
    [
      "more pages than the limit",
      Array.from({ length: 9 }, (_, i) => ({ body: { nextPageToken: `t${i}` } })),
      5,
      "there are more than 5 pages",
    ],
    [
      "more entries than the limit",
      [first, { body: { androidDeliveryData: [entry(20, "a"), entry(20, "b")], nextPageToken: "u" } }],
      2,
      "the app has more than 3 entries",
    ],
    ["HTML", [first, { body: "<html>" }], 2, "the response is not complete JSON: it begins with <html>"],
    [
      "half a page",
      [first, { body: '{"androidDeliveryData":[{' }],
      2,
      "the response is not complete JSON: it begins with {",
    ],
    ["half a compressed page", [first, halfPacked], 2, "the response "],
    ["a page of an unknown format", [first, { body: { androidDeliveryData: 7 } }], 2, "is not an array"],
  ])("at %s, and returns all received pages", async (_, responses, count, message) => {
    const upstream = await upstreamOf(responses, { limits: { ...LIMITS, pages: 5, entries: 3 } });
    const { pages, error } = await walk(upstream);
    expect(pages).toHaveLength(count);
    expect(pages[0]?.entries.size).toBe(responses.length > 5 ? 0 : 1);
    expect(error).toMatchObject({ name: "UpstreamError", kind: "form" });
    expect(String(error)).toContain(message);
  });

  it("if upstream cannot be reached", async () => {
    const upstream = await upstreamOf([]);
    await server?.close();
    server = undefined;
    const { error } = await walk(upstream);
    expect(error).toMatchObject({ kind: "unavailable", message: "the connection failed: ECONNREFUSED" });
  });

  it("when the signal aborts before a connection exists, with its reason", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    let connection: Socket | undefined;
    // Accepts connections, but sends nothing.
    const silent = createServer((socket) => {
      connection = socket.on("error", () => {});
      controller.abort(reason);
    }).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const upstream = new HttpUpstream({
      url: `https://127.0.0.1:${port}`,
      project: "p",
      credentials: new StaticCredentials(["s3cret"]),
      clock: CLOCK,
      today: () => TODAY,
    });
    await expect(walk(upstream, controller.signal)).resolves.toMatchObject({ error: reason });
    connection?.destroy();
    silent.close();
  });

  it("when the signal aborts, with its reason", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const upstream = await upstreamOf([first, () => controller.abort(reason)]);
    const { pages, error } = await walk(upstream, controller.signal);
    expect(pages).toHaveLength(1);
    expect(error).toBe(reason);
  });
});

describe("HttpUpstream times out on responses", () => {
  const SILENT = "no data arrived in time";

  test.each<[string, ScriptedResponse, object, string]>([
    ["without a head", () => {}, { silenceMs: 20 }, SILENT],
    ["without the rest", (_, response) => response.writeHead(200).write("{"), { silenceMs: 100 }, SILENT],
    ["with a byte now and then", drip, { responseMs: 100 }, "the response timed out"],
  ])("%s", async (_, result, limits, message) => {
    const upstream = await upstreamOf([result], { limits: { ...LIMITS, ...limits } });
    expect(await walk(upstream)).toMatchObject({ pages: [], error: { kind: "unavailable", message } });
  });
});

describe("HttpUpstream.apps", () => {
  test.each<[string, ScriptedResponse[], string[]]>([
    [
      "as listed by the contract",
      [
        { body: { androidApps: [{ name: "projects/1/androidApps/a", appId: "a" }], nextPageToken: "t" } },
        { body: { androidApps: [{ appId: "b" }, { appId: "a" }] } },
      ],
      ["a", "b"],
    ],
    [
      "as listed by Firebase Management",
      [{ body: { apps: [{ appId: "a", packageName: "com.example" }] } }],
      ["a"],
    ],
    ["of an empty list", [{ body: {} }], []],
    [
      "without ids that cannot be part of a path",
      [{ body: { apps: [{ appId: "-" }, { appId: ".." }, { appId: "a/b" }, { appId: "a" }] } }],
      ["a"],
    ],
  ])("returns the apps %s", async (_, responses, appIds) => {
    const upstream = await upstreamOf(responses);
    expect(await upstream.apps(new AbortController().signal)).toEqual(appIds);
    const path = "/v1beta1/projects/demo-project/androidApps";
    expect(server?.targets).toEqual(responses.map((_, i) => (i === 0 ? path : `${path}?pageToken=t`)));
  });

  it("reads the apps from another URL", async () => {
    const upstream = await upstreamOf([{ body: {} }]);
    const elsewhere = new HttpUpstream({
      url: "http://127.0.0.1:1",
      appsUrl: `${server?.origin}/v1beta1/projects/p/androidApps?pageSize=100`,
      project: "p",
      credentials: new StaticCredentials(["s3cret"]),
      clock: CLOCK,
      today: () => TODAY,
    });
    expect(upstream).toBeDefined();
    expect(await elsewhere.apps(new AbortController().signal)).toEqual([]);
    expect(server?.targets).toEqual(["/v1beta1/projects/p/androidApps?pageSize=100"]);
  });

  test.each<[string, ScriptedResponse, object]>([
    ["a failure", { status: 503 }, { kind: "unavailable", message: "HTTP status 503" }],
    ["a string for an app", { body: { apps: ["a"] } }, { kind: "form" }],
    ["an app without an id", { body: { apps: [{}] } }, { kind: "form" }],
    ["too many apps", { body: { apps: [{ appId: "a" }, { appId: "b" }, { appId: "c" }] } }, { kind: "form" }],
    ["a repeated page token", { body: { nextPageToken: "a" } }, { kind: "form" }],
  ])("fails at %s", async (_, result, expected) => {
    const upstream = await upstreamOf([result], { limits: { ...LIMITS, apps: 2 } });
    await expect(upstream.apps(new AbortController().signal)).rejects.toMatchObject(expected);
  });
});
