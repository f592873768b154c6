import { once } from "node:events";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { withResolver } from "@waybill/client/support";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { errorOf } from "../api/testing/error-of.js";
import type { Outcome } from "../http/request-record.js";
import { rawExchange } from "../http/testing/raw-exchange.js";
import { DOMAIN, type Library, startLibrary } from "./testing/library.js";

let library: Library;
let url: string;

beforeAll(async () => {
  library = await startLibrary();
  ({ url } = library);
});
afterAll(() => library.close());

const HEAD = "Host: library\r\nConnection: close\r\n";
const BOOK = "/v1/shelves/1/books/2";

/** The first 15 bytes of compressed bodies. */
const HALVES: Readonly<Record<string, Buffer>> = {
  gzip: gzipSync("hello hello hello hello").subarray(0, 15),
  zstd: Buffer.from("KLUv/QRYZQAAMGhlbGxv", "base64"),
};

const get = (target: string, headers = ""): string => `GET ${target} HTTP/1.1\r\n${HEAD}${headers}\r\n`;

describe("an HTTP request", () => {
  test.each<[what: string, request: string, status: number, canonical: string, reason: string]>([
    ["garbage", "garbage\r\n\r\n", 400, "INVALID_ARGUMENT", "MALFORMED_REQUEST"],
    [
      "another protocol",
      "\x16\x03\x01\x02\x00\x01\x00\r\n\r\n",
      400,
      "INVALID_ARGUMENT",
      "MALFORMED_REQUEST",
    ],
    ["an unknown method", `FETCH / HTTP/1.1\r\n${HEAD}\r\n`, 501, "UNIMPLEMENTED", "METHOD_NOT_IMPLEMENTED"],
    ["a broken header", get(BOOK, "no colon\r\n"), 400, "INVALID_ARGUMENT", "MALFORMED_REQUEST"],
    [
      "two lengths",
      get(BOOK, "Content-Length: 1\r\nContent-Length: 2\r\n"),
      400,
      "INVALID_ARGUMENT",
      "MALFORMED_REQUEST",
    ],
    [
      "a length and chunks",
      get(BOOK, "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n"),
      400,
      "INVALID_ARGUMENT",
      "MALFORMED_REQUEST",
    ],
    [
      "no Host",
      `GET ${BOOK} HTTP/1.1\r\nConnection: close\r\n\r\n`,
      400,
      "INVALID_ARGUMENT",
      "MALFORMED_REQUEST",
    ],
    ["a URL above 16 KiB", get(`/${"a".repeat(16 * 1024)}`), 414, "INVALID_ARGUMENT", "URI_TOO_LONG"],
    ["a URL of 100 KB", get(`/${"a".repeat(100_000)}`), 414, "INVALID_ARGUMENT", "URI_TOO_LONG"],
    ["a URL of 1 MB", get(`/${"a".repeat(1_000_000)}`), 414, "INVALID_ARGUMENT", "URI_TOO_LONG"],
    [
      "headers above 32 KiB",
      get(BOOK, `X: ${"a".repeat(32 * 1024)}\r\n`),
      431,
      "INVALID_ARGUMENT",
      "HEADERS_TOO_LARGE",
    ],
    [
      "many headers above 32 KiB",
      get(BOOK, "X: abcdef\r\n".repeat(3000)),
      431,
      "INVALID_ARGUMENT",
      "HEADERS_TOO_LARGE",
    ],
    [
      "headers of 1 MB",
      get(BOOK, "X: abcdef\r\n".repeat(100_000)),
      431,
      "INVALID_ARGUMENT",
      "HEADERS_TOO_LARGE",
    ],
    ["an expectation", get(BOOK, "Expect: miracle\r\n"), 417, "INVALID_ARGUMENT", "EXPECTATION_FAILED"],
    ["a tunnel", `CONNECT example.com:443 HTTP/1.1\r\n${HEAD}\r\n`, 404, "NOT_FOUND", "ROUTE_NOT_FOUND"],
    [
      "an upgrade to nothing",
      get("/v1/none", "Upgrade: websocket\r\n").replace("close", "upgrade, close"),
      404,
      "NOT_FOUND",
      "ROUTE_NOT_FOUND",
    ],
  ])("with %s is rejected in JSON", async (_, request, status, canonical, reason) => {
    const [response, ...others] = await rawExchange(url, request);
    expect(others).toEqual([]);
    expect(response?.head).toContain("content-type: application/json; charset=utf-8");
    expect(errorOf(response?.body ?? "")).toMatchObject({
      code: status,
      status: canonical,
      reason,
      domain: DOMAIN,
    });
    expect(response?.status).toBe(status);
  });

  it("is served up to the limits of URL and headers", async () => {
    const target = `${BOOK}?key=`;
    const [longest] = await rawExchange(url, get(target + "a".repeat(16 * 1024 - target.length)));
    expect(longest?.status).toBe(200);
    const [largest] = await rawExchange(url, get(BOOK, `X: ${"a".repeat(32 * 1024 - 100)}\r\n`));
    expect(largest?.status).toBe(200);
  });

  it("that does not arrive in time gets 408", async () => {
    const slow = await startLibrary({
      server: { requestTimeout: 50, headersTimeout: 50, connectionsCheckingInterval: 10 },
    });
    const [response] = await rawExchange(slow.url, `GET ${BOOK} HTTP/1.1\r\nHost:`);
    expect(response?.status).toBe(408);
    expect(errorOf(response?.body ?? "")).toMatchObject({
      status: "DEADLINE_EXCEEDED",
      reason: "REQUEST_TIMEOUT",
    });
    await slow.close();
  });
});

describe("a path", () => {
  test.each<[target: string, status: number, reason: string]>([
    ["/v1/shelves/a%2Fb/books/c", 200, ""],
    ["http://library:80/v1/shelves/1/books/2", 200, ""],
    ["http://library:80/v1/shelves/1/books/2?isbn=x", 400, "INVALID_PARAMETER"],
    ["http://library", 404, "ROUTE_NOT_FOUND"],
    ["/v1/shelves/%/books/c", 400, "MALFORMED_PATH"],
    ["/v1/shelves/%ff/books/c", 400, "MALFORMED_PATH"],
    ["/v1/shelves/\xff/books/c", 400, "MALFORMED_REQUEST"],
    ["/%", 404, "ROUTE_NOT_FOUND"],
    ["/", 404, "ROUTE_NOT_FOUND"],
    ["*", 404, "ROUTE_NOT_FOUND"],
    ["/v1/shelves/1/books/2/", 404, "ROUTE_NOT_FOUND"],
    ["//v1/shelves/1/books/2", 404, "ROUTE_NOT_FOUND"],
    ["/v1/shelves//books/2", 404, "ROUTE_NOT_FOUND"],
    ["/V1/shelves/1/books/2", 404, "ROUTE_NOT_FOUND"],
    ["/v1/x/../shelves/1/books/2", 404, "ROUTE_NOT_FOUND"],
    ["/%76%31/shelves/1/books/2", 404, "ROUTE_NOT_FOUND"],
  ])("%s gets %i %s", async (target, status, reason) => {
    const [response] = await rawExchange(url, Buffer.from(get(target), "latin1"));
    expect(response?.status).toBe(status);
    if (reason !== "") expect(errorOf(response?.body ?? "").reason).toBe(reason);
  });

  it.each(["POST", "PROPFIND", "TRACE", "OPTIONS", "QUERY", "PUT"])(
    "without a route for %s gets 405",
    async (method) => {
      const [response] = await rawExchange(
        url,
        `${method} /v1/shelves/1/books HTTP/1.1\r\n${HEAD}Content-Type: ;\r\n\r\n`,
      );
      // If this Node.js version's parser does not know the method, the status is 400.
      if (response?.status === 400) return;
      expect(response?.status).toBe(405);
      expect(response?.head).toContain("allow: get, head");
      expect(errorOf(response?.body ?? "")).toMatchObject({
        status: "UNIMPLEMENTED",
        reason: "METHOD_NOT_ALLOWED",
      });
    },
  );
});

describe("a body", () => {
  const send = (method: string, path: string, headers: string, body: string | Buffer): Buffer[] => [
    Buffer.from(`${method} ${path} HTTP/1.1\r\n${HEAD}${headers}\r\n`),
    Buffer.from(body),
  ];
  const JSON_TYPE = "Content-Type: application/json\r\n";
  const sized = (body: string | Buffer): string => `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  const CHUNKED = "Transfer-Encoding: chunked\r\n";
  const MOVE = `${BOOK}:move`;
  const UPLOAD = `${BOOK}/pages:upload`;
  const REFUSED = "/v1/shelves/1/books/refused/pages:upload";
  const gzipped = gzipSync("{}");
  const bomb = gzipSync(" ".repeat(1_000_000));

  test.each<[what: string, request: Buffer[], status: number, reason: string]>([
    ["on a read", send("GET", BOOK, sized("{}"), "{}"), 400, "REQUEST_BODY_NOT_EMPTY"],
    [
      "on a read, in chunks",
      send("GET", BOOK, CHUNKED, "1\r\nx\r\n0\r\n\r\n"),
      400,
      "REQUEST_BODY_NOT_EMPTY",
    ],
    ["of no bytes on a read", send("GET", BOOK, "Content-Length: 0\r\n", ""), 200, ""],
    ["of no bytes on a read, in chunks", send("GET", BOOK, CHUNKED, "0\r\n\r\n"), 200, ""],
    ["on a deletion", send("DELETE", BOOK, sized("x"), "x"), 400, "REQUEST_BODY_NOT_EMPTY"],
    ["that is missing", send("POST", MOVE, "", ""), 200, ""],
    ["in JSON", send("POST", MOVE, JSON_TYPE + sized("{}"), "{}"), 200, ""],
    [
      "in JSON with a charset",
      send("POST", MOVE, `Content-Type: Application/JSON; charset="UTF-8"\r\n${sized("{}")}`, "{}"),
      200,
      "",
    ],
    [
      "in JSON with other parameters",
      send(
        "POST",
        MOVE,
        `Content-Type: application/json ; charset= utf-8; profile="x";\r\n${sized("{}")}`,
        "{}",
      ),
      200,
      "",
    ],
    [
      "of another charset after other parameters",
      send(
        "POST",
        MOVE,
        `Content-Type: application/json; profile=x ; charset=utf-16\r\n${sized("{}")}`,
        "{}",
      ),
      415,
      "UNSUPPORTED_MEDIA_TYPE",
    ],
    [
      "in gzip",
      send("POST", MOVE, `${JSON_TYPE}Content-Encoding: GZIP\r\n${sized(gzipped)}`, gzipped),
      200,
      "",
    ],
    ["without a type", send("POST", MOVE, sized("{}"), "{}"), 415, "UNSUPPORTED_MEDIA_TYPE"],
    [
      "of another type",
      send("POST", MOVE, `Content-Type: text/json\r\n${sized("{}")}`, "{}"),
      415,
      "UNSUPPORTED_MEDIA_TYPE",
    ],
    [
      "of a malformed type",
      send("POST", MOVE, `Content-Type: ;;\r\n${sized("{}")}`, "{}"),
      415,
      "UNSUPPORTED_MEDIA_TYPE",
    ],
    [
      "of another charset",
      send("POST", MOVE, `Content-Type: application/json; charset=latin1\r\n${sized("{}")}`, "{}"),
      415,
      "UNSUPPORTED_MEDIA_TYPE",
    ],
    [
      "of an unknown encoding",
      send("POST", MOVE, `${JSON_TYPE}Content-Encoding: br\r\n${sized("{}")}`, "{}"),
      415,
      "UNSUPPORTED_ENCODING",
    ],
    [
      "of two encodings",
      send("POST", MOVE, `${JSON_TYPE}Content-Encoding: gzip, gzip\r\n${sized("{}")}`, "{}"),
      415,
      "UNSUPPORTED_ENCODING",
    ],
    [
      "of an inherited encoding",
      send("POST", MOVE, `${JSON_TYPE}Content-Encoding: toString\r\n${sized("{}")}`, "{}"),
      415,
      "UNSUPPORTED_ENCODING",
    ],
    [
      "that is not gzip",
      send("POST", MOVE, `${JSON_TYPE}Content-Encoding: gzip\r\n${sized("{}")}`, "{}"),
      400,
      "MALFORMED_ENCODING",
    ],
    [
      "of half a gzip",
      send(
        "POST",
        MOVE,
        `${JSON_TYPE}Content-Encoding: gzip\r\nContent-Length: 15\r\n`,
        gzipped.subarray(0, 15),
      ),
      400,
      "MALFORMED_ENCODING",
    ],
    [
      "that is not valid zstd",
      send("POST", UPLOAD, `Content-Encoding: zstd\r\n${sized("{}")}`, "{}"),
      400,
      "MALFORMED_ENCODING",
    ],
    [
      "of half a zstd",
      send("POST", UPLOAD, "Content-Encoding: zstd\r\nContent-Length: 15\r\n", HALVES.zstd ?? ""),
      400,
      "MALFORMED_ENCODING",
    ],
    [
      "in unread zstd",
      send("POST", REFUSED, "Content-Encoding: zstd\r\nContent-Length: 15\r\n", HALVES.zstd ?? ""),
      400,
      "REFUSED",
    ],
    [
      "in unread, broken gzip",
      send("POST", REFUSED, "Content-Encoding: gzip\r\nContent-Length: 15\r\n", "fifteen letters"),
      400,
      "REFUSED",
    ],
    [
      "that is too long after decompression",
      send("POST", MOVE, `${JSON_TYPE}Content-Encoding: gzip\r\n${sized(bomb)}`, bomb),
      413,
      "BODY_TOO_LARGE",
    ],
    [
      "that is too long",
      send("POST", MOVE, `${JSON_TYPE}Content-Length: 20000\r\n`, " ".repeat(20_000)),
      413,
      "BODY_TOO_LARGE",
    ],
    [
      "that is too long, in chunks",
      send("POST", MOVE, JSON_TYPE + CHUNKED, `4e20\r\n${" ".repeat(20_000)}\r\n0\r\n\r\n`),
      413,
      "BODY_TOO_LARGE",
    ],
    ["of broken chunks", send("POST", MOVE, JSON_TYPE + CHUNKED, "zz\r\n"), 400, "MALFORMED_REQUEST"],
    ["that is not JSON", send("POST", MOVE, JSON_TYPE + sized("{]"), "{]"), 400, "MALFORMED_JSON"],
    [
      "that is not UTF-8",
      send("POST", MOVE, `${JSON_TYPE}Content-Length: 3\r\n`, Buffer.from('"\xff"', "latin1")),
      400,
      "MALFORMED_JSON",
    ],
    [
      "with an unknown field",
      send("POST", MOVE, JSON_TYPE + sized('{"a":1}'), '{"a":1}'),
      400,
      "INVALID_BODY",
    ],
    ["of another shape", send("POST", MOVE, JSON_TYPE + sized("[]"), "[]"), 400, "INVALID_BODY"],
    [
      "with an invalid value",
      send("POST", MOVE, JSON_TYPE + sized('{"position":"x"}'), '{"position":"x"}'),
      400,
      "INVALID_BODY",
    ],
    [
      "on an unknown path",
      send("POST", "/nope", `Content-Type: ;;\r\n${sized("{}")}`, "{}"),
      404,
      "ROUTE_NOT_FOUND",
    ],
  ])("%s gets the expected status and reason", async (_, request, status, reason) => {
    const [response] = await rawExchange(url, ...request);
    expect(response?.status).toBe(status);
    if (reason !== "") expect(errorOf(response?.body ?? "").reason).toBe(reason);
  });

  it("in an unsupported encoding is rejected with a list of supported ones", async () => {
    const [response] = await rawExchange(
      url,
      ...send("POST", UPLOAD, "Content-Encoding: br\r\nContent-Length: 1\r\n", "x"),
    );
    expect(response?.head).toContain("accept-encoding: gzip, zstd");
  });

  it("with an invalid field is rejected with the field name", async () => {
    const body = '{"book":{"chapters":[{"first_page":"x"}]}}';
    const [response] = await rawExchange(url, ...send("PATCH", BOOK, JSON_TYPE + sized(body), body));
    expect(errorOf(response?.body ?? "").fields).toEqual(["body"]);
    const chapters = '{"chapters":[{"first_page":"x"}]}';
    const [other] = await rawExchange(url, ...send("PATCH", BOOK, JSON_TYPE + sized(chapters), chapters));
    expect(errorOf(other?.body ?? "")).toMatchObject({ fields: ["firstPage"], reason: "INVALID_BODY" });
  });
});

describe("a broken connection", () => {
  test.each(["identity", "gzip", "zstd"])(
    "ends a body in %s with an error, which the observer receives",
    async (coding) => {
      const { promise: observed, resolve: observe } = withResolver<Outcome<string>>();
      const library = await startLibrary({ observe });
      const socket = connect(Number(new URL(library.url).port), "127.0.0.1");
      socket.on("error", () => {});
      const headers = `${HEAD}Content-Length: 100\r\nContent-Encoding: ${coding}\r\n`;
      socket.write(`POST ${BOOK}/pages:upload HTTP/1.1\r\n${headers}\r\n`);
      socket.write(HALVES[coding] ?? "half");
      socket.once("ready", () => socket.destroySoon());
      await once(socket, "close");
      const { status, error } = await observed;
      expect([status, error?.reason]).toEqual([499, "REQUEST_ABORTED"]);
      await library.close();
    },
  );
});
