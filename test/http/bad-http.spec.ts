import { connect } from "node:net";
import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { type RawResponse, rawExchange } from "../../src/http/testing/raw-exchange.js";
import { listOf } from "../support/data/delivery-data.js";
import { send } from "../support/http/exchange.js";
import { it, test } from "../support/servers/process-fixtures.js";
import { ANDROID_APP } from "../support/servers/project.js";

const LIST = listOf(ANDROID_APP);
const KIB = 1024;

test.afterEach(async ({ server, viewer }) => {
  // The server still serves the next caller.
  expect((await send(server.messagingDataUrl, LIST, { token: viewer })).status).toBe(200);
});

/** Checks the single response on a connection that the server then closed. */
function expectFailure(responses: readonly RawResponse[], code: number, reason: string): void {
  expect(responses).toHaveLength(1);
  const [{ status, head, body }] = responses as [RawResponse];
  expect(status).toBe(code);
  expect(head).toContain("content-type: application/json; charset=utf-8");
  expect(errorOf(body)).toMatchObject({ code, reason, domain: "messaging-data.waybill" });
}

const END = "\r\nHost: x\r\nConnection: close\r\n\r\n";

describe("the HTTP/1.1 parser", () => {
  test.for([
    ["garbage", "\x00\x01\x02\xff\xfe garbage\r\n\r\n"],
    ["text", "hello?\r\n\r\n"],
    ["the start of TLS", Buffer.from("1603010200010001fc0303", "hex")],
    ["a bad version", `GET ${LIST} HTTP/9.9${END}`],
    ["another protocol", `GET ${LIST} FTP/1.1${END}`],
    ["a space in the target", `GET ${LIST} x HTTP/1.1${END}`],
    ["a header without a colon", `GET ${LIST} HTTP/1.1\r\nHost: x\r\nbroken header\r\n\r\n`],
    ["a space before the colon", `GET ${LIST} HTTP/1.1\r\nHost: x\r\nA : b\r\n\r\n`],
    ["a NUL in a header", `GET ${LIST} HTTP/1.1\r\nHost: x\r\nA: \x00\r\n\r\n`],
    ["a length that is not a number", `GET ${LIST} HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n`],
    ["a negative length", `GET ${LIST} HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n`],
    ["two lengths", `GET ${LIST} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
    [
      "a length and chunks",
      `GET ${LIST} HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ["no Host", `GET ${LIST} HTTP/1.1\r\nConnection: close\r\n\r\n`],
  ] as const)("rejects %s as a malformed request", async ([_case, bytes], { server }) => {
    expectFailure(await rawExchange(server.messagingDataUrl, bytes), 400, "MALFORMED_REQUEST");
  });

  it("reports only one error for a request with a malformed chunk", async ({ server, viewer }) => {
    const head = `GET ${LIST} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${viewer}\r\n`;
    const responses = await rawExchange(
      server.messagingDataUrl,
      `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    );
    expectFailure(responses, 400, "MALFORMED_REQUEST");
  });

  it("rejects CONNECT", async ({ server }) => {
    const responses = await rawExchange(server.messagingDataUrl, `CONNECT example.com:443 HTTP/1.1${END}`);
    expectFailure(responses, 404, "ROUTE_NOT_FOUND");
  });

  it("rejects an unknown expectation", async ({ server }) => {
    const responses = await rawExchange(
      server.messagingDataUrl,
      `GET ${LIST} HTTP/1.1\r\nExpect: miracles${END}`,
    );
    expectFailure(responses, 417, "EXPECTATION_FAILED");
  });
});

describe("size limits", () => {
  const path = (bytes: number) => `GET /${"x".repeat(bytes - 1)} HTTP/1.1${END}`;
  const query = (bytes: number) => `GET ${LIST}?key=${"x".repeat(bytes - LIST.length - 5)} HTTP/1.1${END}`;
  const header = (bytes: number) => `GET ${LIST} HTTP/1.1\r\nX: ${"x".repeat(bytes)}${END}`;

  test.for([
    ["a path of 16 KiB", path(16 * KIB), 404, "ROUTE_NOT_FOUND"],
    ["a path a byte longer", path(16 * KIB + 1), 414, "URI_TOO_LONG"],
    ["a path of 100 KB", path(100_000), 414, "URI_TOO_LONG"],
    ["a path of 1 MB", path(1_000_000), 414, "URI_TOO_LONG"],
    ["a query of 16 KiB", query(16 * KIB), 401, "CREDENTIALS_MISSING"],
    ["a query a byte longer", query(16 * KIB + 1), 414, "URI_TOO_LONG"],
    ["a query of 1 MB", query(1_000_000), 414, "URI_TOO_LONG"],
    ["a header of 31 KiB", header(31 * KIB), 401, "CREDENTIALS_MISSING"],
    ["a header of 33 KiB", header(33 * KIB), 431, "HEADERS_TOO_LARGE"],
    ["a header of 200 KB", header(200_000), 431, "HEADERS_TOO_LARGE"],
    [
      "headers of 1 MB",
      header(1_000).replace(/X: .*/, `${"X: 0123456789".padEnd(1_000)}\r\n`.repeat(1_000)),
      431,
      "HEADERS_TOO_LARGE",
    ],
    [
      "two thousand headers",
      `GET ${LIST} HTTP/1.1\r\n${"Abc: 0123456789\r\n".repeat(2_000)}Host: x\r\n\r\n`,
      431,
      "HEADERS_TOO_LARGE",
    ],
    [
      "a token of 20 KiB",
      `GET ${LIST} HTTP/1.1\r\nAuthorization: Bearer ${"x".repeat(20 * KIB)}${END}`,
      401,
      "ACCESS_TOKEN_INVALID",
    ],
  ] as const)("apply to %s", async ([_case, bytes, code, reason], { server }) => {
    const closing = bytes.replace(/Host: x\r\n(?!Connection)/, "Host: x\r\nConnection: close\r\n");
    expectFailure(await rawExchange(server.messagingDataUrl, closing), code, reason);
  });
});

test("pipelined requests get their responses in order", async ({ server, viewer }) => {
  const request = (target: string, headers = "") =>
    `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${viewer}\r\n${headers}\r\n`;
  const responses = await rawExchange(
    server.messagingDataUrl,
    request(LIST),
    request("/nothing"),
    request(`${LIST}?pageSize=x`) + request(LIST, "Connection: close\r\n"),
  );
  expect(responses.map(({ status }) => status)).toEqual([200, 404, 400, 200]);
});

test("clients that disconnect within a request do not affect others", async ({ server }) => {
  const { hostname, port } = new URL(server.messagingDataUrl);
  for (let count = 0; count < 50; count++) {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on("error", () => {});
    socket.write(`GET ${LIST} HTTP/1.1\r\nHost`, () => socket.resetAndDestroy());
  }
  expect(server.process.exitCode).toBeNull();
});
