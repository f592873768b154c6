import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { accepted, listOf } from "../support/data/delivery-data.js";
import { importEvents, importInto, ndjson } from "../support/data/import.js";
import { type HttpResponse, type Sent, send } from "../support/http/exchange.js";
import { exchangeHttp2, sendHttp2 } from "../support/http/http2.js";
import {
  END_HEADERS,
  FRAME,
  frame,
  ofType,
  RawConnection,
  requestHead,
} from "../support/http/http2-frames.js";
import { poll } from "../support/poll.js";
import { test as serving } from "../support/servers/fixtures.js";
import { ANDROID_APP, BASE_CONFIG, EDITOR, IOS_APP, PROJECT } from "../support/servers/project.js";

const NOON = "2025-06-02T12:00:00-07:00";
const LIST = listOf(ANDROID_APP);
const CONFIG = `/v1/projects/${PROJECT.id}/apps/${IOS_APP}/appAttestConfig`;
/** Error code of a stream that ends without an error (RFC 9113 §7). */
const NO_ERROR = Buffer.from([0, 0, 0, 0]);
const ORIGIN = "https://console.example.com";

serving.override("config", {
  ...BASE_CONFIG,
  cors: { origins: [ORIGIN] },
  messagingData: { import: { maxConcurrent: 1 } },
});
const test = serving.extend(
  "importHeaders",
  ({ editor }) =>
    (): Record<string, string> => ({
      ":method": "POST",
      ":scheme": "http",
      ":authority": "x",
      ":path": importInto(),
      authorization: `Bearer ${editor}`,
      "content-type": "application/x-ndjson",
    }),
);

test.beforeAll(async ({ server, editor }) => {
  const events = Array.from({ length: 40 }, (_, index) => accepted(ANDROID_APP, NOON, `label-${index}`));
  await importEvents(server, editor, events, { appId: ANDROID_APP, entries: 40 });
});

/** A response without the parts that vary by request or connection. */
function comparable({ status, headers, bytes }: HttpResponse): unknown {
  const {
    date: _date,
    connection: _connection,
    "keep-alive": _keepAlive,
    "x-request-id": id,
    ...others
  } = headers;
  return { status, headers: { ...others, "x-request-id": typeof id }, body: plain(others, bytes) };
}

function plain({ "content-encoding": coding }: HttpResponse["headers"], bytes: Buffer): string {
  if (bytes.length === 0) return "";
  if (coding === "gzip") return gunzipSync(bytes).toString();
  return (coding === "br" ? brotliDecompressSync(bytes) : bytes).toString();
}

describe("HTTP/2 returns the same responses as HTTP/1.1", () => {
  const json = { "content-type": "application/json" };
  test.for<[name: string, service: "integrityUrl" | "messagingDataUrl", target: string, sent: Sent]>([
    ["a list", "messagingDataUrl", LIST, {}],
    ["a page", "messagingDataUrl", `${LIST}?pageSize=40&fields=androidDeliveryData/date`, {}],
    ["HEAD", "messagingDataUrl", LIST, { method: "HEAD" }],
    ["gzip", "messagingDataUrl", LIST, { headers: { "accept-encoding": "gzip" } }],
    ["Brotli", "messagingDataUrl", LIST, { headers: { "accept-encoding": "br" } }],
    ["pretty", "integrityUrl", `${CONFIG}?prettyPrint=true`, {}],
    ["an origin", "integrityUrl", CONFIG, { headers: { origin: ORIGIN } }],
    [
      "a preflight",
      "integrityUrl",
      CONFIG,
      { method: "OPTIONS", headers: { origin: ORIGIN, "access-control-request-method": "GET" } },
    ],
    ["no token", "messagingDataUrl", LIST, { headers: { authorization: "" } }],
    ["a bad token", "messagingDataUrl", LIST, { headers: { authorization: "Bearer x" } }],
    ["a bad parameter", "messagingDataUrl", `${LIST}?pageSize=-1&x=1`, {}],
    ["an unknown app", "integrityUrl", CONFIG.replace(IOS_APP, "none"), {}],
    ["an unknown path", "integrityUrl", "/v1/nothing?x=y", {}],
    ["a method that is not allowed", "integrityUrl", CONFIG, { method: "PUT", headers: json, body: "{}" }],
    ["an unknown method", "integrityUrl", CONFIG, { method: "PROPFIND" }],
    ["a read with a body", "messagingDataUrl", LIST, { body: "{}" }],
    ["a read with an empty body", "messagingDataUrl", LIST, { body: "" }],
    ["a long URL", "messagingDataUrl", `${LIST}?key=${"x".repeat(16 * 1024)}`, {}],
    ["large headers", "messagingDataUrl", LIST, { headers: { x: "x".repeat(33 * 1024) } }],
    [
      "a change without a mask",
      "integrityUrl",
      CONFIG,
      { method: "PATCH", headers: json, body: '{"tokenTtl":"7200s"}' },
    ],
    [
      "a change of the wrong type",
      "integrityUrl",
      `${CONFIG}?updateMask=tokenTtl`,
      { method: "PATCH", headers: { "content-type": "text/plain" }, body: "x" },
    ],
    [
      "an import of the wrong type",
      "messagingDataUrl",
      importInto(),
      { method: "POST", headers: json, body: "{}" },
    ],
    [
      "an import in an unknown coding",
      "messagingDataUrl",
      importInto(),
      {
        method: "POST",
        headers: { "content-type": "application/x-ndjson", "content-encoding": "lzw" },
        body: "x",
      },
    ],
    [
      "an import of lines that are not events",
      "messagingDataUrl",
      importInto(),
      { method: "POST", headers: { "content-type": "application/x-ndjson" }, body: "{}\n[]\n" },
    ],
  ])("%s", async ([_name, service, target, sent], { server, editor }) => {
    const url = server[service];
    const given = { ...sent, headers: { authorization: `Bearer ${editor}`, ...sent.headers } };
    expect(comparable(await sendHttp2(url, target, given))).toEqual(
      comparable(await send(url, target, given)),
    );
  });

  test.for(["FETCH", "get", "x"])(
    "to requests with the method %s, which HTTP/1.1 could not parse",
    async (method, { server, editor }) => {
      const known = await sendHttp2(server.integrityUrl, CONFIG, { method, token: editor });
      expect([known.status, known.headers.allow]).toEqual([405, "GET, HEAD, PATCH"]);
      expect(errorOf(known.text)).toMatchObject({ reason: "METHOD_NOT_ALLOWED", metadata: { method } });
      const unknown = await sendHttp2(server.integrityUrl, "/v1/nothing", { method, token: editor });
      expect([unknown.status, errorOf(unknown.text).reason]).toEqual([404, "ROUTE_NOT_FOUND"]);
    },
  );

  test("to requests with an unknown expectation", async ({ server }) => {
    const given = { headers: { expect: "miracles" } };
    const { status, text } = await sendHttp2(server.messagingDataUrl, LIST, given);
    expect([status, text]).toEqual([417, (await send(server.messagingDataUrl, LIST, given)).text]);
  });

  test("to conditional requests for an unchanged page", async ({ server, editor }) => {
    const { headers } = await send(server.messagingDataUrl, LIST, { token: editor });
    const given = { token: editor, headers: { "if-none-match": String(headers.etag) } };
    const response = await sendHttp2(server.messagingDataUrl, LIST, given);
    expect(response.status).toBe(304);
    expect(comparable(response)).toEqual(comparable(await send(server.messagingDataUrl, LIST, given)));
  });
});

test("a change over HTTP/2 is visible over HTTP/1.1", async ({ server, editor }) => {
  const body = JSON.stringify({ tokenTtl: "7200s" });
  const response = await sendHttp2(server.integrityUrl, `${CONFIG}?updateMask=tokenTtl`, {
    method: "PATCH",
    token: editor,
    headers: { "content-type": "application/json" },
    body,
  });
  expect([response.status, JSON.parse(response.text)]).toMatchObject([200, { tokenTtl: "7200s" }]);
  expect(JSON.parse((await send(server.integrityUrl, CONFIG, { token: editor })).text)).toMatchObject({
    tokenTtl: "7200s",
  });
});

test("an import over HTTP/2 that is compressed with gzip and has no length is stored", async ({
  server,
  importHeaders,
}) => {
  const lines = ndjson(Array.from({ length: 1000 }, () => accepted("packed", NOON)));
  const headers = { ...importHeaders(), "content-encoding": "gzip" };
  const { status, bytes } = await exchangeHttp2(server.messagingDataUrl, headers, gzipSync(lines));
  expect([status, JSON.parse(bytes.toString())]).toEqual([200, { importedCount: "1000" }]);
});

test("the server does not read a rejected HTTP/2 import completely", async ({ server, importHeaders }) => {
  const { authorization: _authorization, ...headers } = importHeaders();
  const connection = new RawConnection(server.messagingDataUrl);
  await connection.open();
  await connection.send(
    requestHead(1, headers, END_HEADERS),
    frame(FRAME.data, 0, 1, Buffer.alloc(16_384, " ")),
  );
  const response = await connection.next(ofType(FRAME.data, 1));
  expect(errorOf(response?.payload.toString() ?? "").reason).toBe("CREDENTIALS_MISSING");
  expect((await connection.next(ofType(FRAME.resetStream, 1)))?.payload).toEqual(NO_ERROR);
  connection.socket.destroy();
});

describe("the log of HTTP/2", () => {
  test("has a line for each request", async ({ server, editor }) => {
    const { headers } = await sendHttp2(server.messagingDataUrl, `${LIST}?pageSize=3`, { token: editor });
    const id = String(headers["x-request-id"]);
    const line = await poll(
      () =>
        server
          .log()
          .split("\n")
          .find((text) => text.includes(id)),
      (text) => text !== undefined,
    );
    expect(JSON.parse(line ?? "{}")).toMatchObject({
      protocol: "http",
      operation: "ListAndroidDeliveryData",
      method: "GET",
      path: LIST,
      status: 200,
      principal: EDITOR,
    });
  });
});
