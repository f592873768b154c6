import { ok } from "node:assert/strict";
import { connect } from "node:net";
import { errorOf } from "../../src/api/testing/error-of.js";
import type { FuzzTarget } from "../engine/fuzz-target.js";
import { checkStatus, FuzzedServer } from "../support/fuzzed-server.js";
import { EVENT_LINES } from "./event-seeds.js";

/** Placeholders in inputs for a valid token, and for the body length. */
const [TOKEN, LENGTH] = ["$TOKEN", "$LENGTH"];
const AUTHORIZED = `Host: x\r\nAuthorization: Bearer ${TOKEN}\r\n`;
/** Milliseconds without a response after which an input counts as incomplete. */
const SILENCE_MS = 40;
/** Time limit for closing a connection that its client has ended, in milliseconds. */
const MAX_CLOSE_MS = 10_000;

const APP = "projects/test-project/apps/1:123456789012:ios:0a1b2c3d4e5f/appAttestConfig";
const LIST = "/v1beta1/projects/test-project/androidApps/1:123456789012:android:0a1b2c3d4e5f/deliveryData";
const IMPORT = "/v1beta1/projects/test-project/messageEvents:import";

const post = (target: string, type: string, body: string, more = ""): string =>
  `POST ${target} HTTP/1.1\r\n${AUTHORIZED}Content-Type: ${type}\r\n${more}Content-Length: ${LENGTH}\r\n\r\n${body}`;

let server: FuzzedServer;

/**
 * Any bytes on an HTTP/1.1 connection get well-formed responses, without a server error. The first byte selects the
 * listener.
 */
export const http1: FuzzTarget = {
  name: "http1",
  boundedInputs: 100,
  maxBytes: 16_384,
  remote: true,
  seeds: [
    `0GET /v1/${APP} HTTP/1.1\r\n${AUTHORIZED}If-None-Match: "x"\r\nAccept-Encoding: gzip\r\n\r\n`,
    `0PATCH /v1/${APP}?updateMask=tokenTtl HTTP/1.1\r\n${AUTHORIZED}Content-Type: application/json\r\nIf-Match: *\r\nContent-Length: ${LENGTH}\r\n\r\n{"tokenTtl":"3600s"}`,
    `0GET /v1/projects/test-project/apps/-/appAttestConfig:batchGet?names=${APP}&names=x HTTP/1.1\r\n${AUTHORIZED}\r\n`,
    `0${post("/oauth2/token", "application/x-www-form-urlencoded", "grant_type=x&subject_token=y")}`,
    "0GET /.well-known/oauth-authorization-server HTTP/1.1\r\nHost: x\r\n\r\n",
    "0GET /$discovery/rest?version=v1 HTTP/1.1\r\nHost: x\r\n\r\nGET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n",
    `1GET ${LIST}?pageSize=10&filter=date%20%3E%202026-01-01&fields=*&prettyPrint=true HTTP/1.1\r\n${AUTHORIZED}\r\n`,
    `1GET ${LIST}:aggregate?groupBy=DATE&groupBy=2 HTTP/1.1\r\n${AUTHORIZED}Connection: close\r\n\r\n`,
    `1HEAD ${LIST}?pageToken=Ag HTTP/1.1\r\n${AUTHORIZED}\r\nOPTIONS ${LIST} HTTP/1.1\r\nHost: x\r\nOrigin: http://o\r\n\r\n`,
    `1GET /v1beta1/projects?alt=json HTTP/1.0\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`,
    `1${post(LIST, "application/x-www-form-urlencoded", "pageSize=1&filter=", "X-HTTP-Method-Override: GET\r\n")}`,
    `1${post(IMPORT, "application/x-ndjson", EVENT_LINES.slice(0, 2).join("\n"))}`,
    `1POST ${IMPORT} HTTP/1.1\r\n${AUTHORIZED}Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{}\n{}\r\n0\r\n\r\n`,
    `1${post("/waybill.messagingdata.v1beta1.MessagingDataService/ListProjects", "application/json", "{}")}`,
    `1${post("/waybill.messagingdata.v1beta1.MessagingDataService/ListProjects", "application/grpc-web+proto", "\0\0\0\0\0")}`,
    "1GET /console/ HTTP/1.1\r\nHost: x\r\n\r\n",
    "1GET http://a:1/v1beta1/projects HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
    "3GET /readyz HTTP/1.1\r\nHost: x\r\n\r\nGET /metrics HTTP/1.1\r\nHost: x\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
    "0\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "1PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  ],
  words: [
    ...["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE", "PRI", "QUERY"],
    ...[" HTTP/1.1", "HTTP/1.0"],
    ...["\r\n", "\r\n\r\n", "\n", " ", "\t", ": ", "0\r\n\r\n", "ffffffff\r\n", ";ext=1", "\0", "\xff"],
    ...[LENGTH, TOKEN],
    ...["Host: x\r\n", "Host: \r\n", "Content-Length: 0\r\n", "Content-Length: 5\r\n"],
    ...["Transfer-Encoding: chunked\r\n"],
    ...["Transfer-Encoding: gzip, chunked\r\n", "Content-Encoding: gzip\r\n"],
    ...["Content-Encoding: identity\r\n", "Connection: close\r\n"],
    ...["Expect: 100-continue\r\n", "If-Match: *\r\n", "If-None-Match: *\r\n", "Accept-Encoding: br\r\n"],
    ...["Origin: http://x\r\n"],
    ...["Range: bytes=0-1\r\n", "X-HTTP-Method-Override: GET\r\n", "Upgrade: websocket\r\n"],
    ...["Authorization: Basic x\r\n", " folded\r\n"],
    ...["Content-Type: application/json\r\n", "application/grpc", "application/connect+proto"],
    ...["TE: trailers\r\n", "grpc-timeout: 1n\r\n"],
    ...["%2F", "%FF", "%", "?", "&", "=", "#", "..", "//", ":", "*", "fields", "pageSize", "pageToken"],
    ...["updateMask", "{}", '"'],
  ],
  async start() {
    server = await FuzzedServer.open();
  },
  stop: () => server.close(),
  async run(input) {
    const text = input.toString("latin1", 1).replaceAll(TOKEN, server.token);
    const length = text.length - (text.indexOf("\r\n\r\n") + 4);
    const bytes = Buffer.from(text.replace(LENGTH, String(Math.max(0, length))), "latin1");
    checkResponses(await exchange(server.urlOf(input[0] ?? 0), bytes));
    await server.check();
  },
};

/** Sends bytes, and ends the connection after a response or a period of silence. */
async function exchange(url: string, bytes: Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const chunks: Buffer[] = [];
  // The server may close the connection during sending.
  socket.on("error", () => {});
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  const silence = setTimeout(() => socket.end(), SILENCE_MS);
  const late = setTimeout(() => socket.destroy(new Error("late")), MAX_CLOSE_MS);
  socket.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    // Further responses may follow immediately.
    setTimeout(() => socket.end(), 1);
  });
  socket.write(bytes);
  try {
    await closed;
  } finally {
    clearTimeout(silence);
    clearTimeout(late);
  }
  ok(socket.errored?.message !== "late", `not closed after ${MAX_CLOSE_MS} ms`);
  return Buffer.concat(chunks).toString("latin1");
}

const RESPONSE = /^HTTP\/1\.1 (\d{3}) [A-Za-z -]*\r\n((?:[^\r\n]+\r\n)*)\r\n/;

function checkResponses(received: string): void {
  // Connections that are not HTTP/1.1 receive HTTP/2 settings.
  if (!received.startsWith("HTTP/")) {
    ok(received === "" || received.charCodeAt(3) === 4, received.slice(0, 100));
    return;
  }
  const [head = "", status = "", fields = ""] = RESPONSE.exec(received) ?? [];
  ok(head !== "", `a malformed response: ${received.slice(0, 300)}`);
  const rest = received.slice(head.length);
  checkStatus(Number(status), received);
  const length = /^content-length: (\d+)\r$/im.exec(fields)?.[1];
  if (length === undefined || Number(length) > rest.length) return;
  const body = Buffer.from(rest.slice(0, Number(length)), "latin1").toString();
  if (Number(status) >= 400 && body.startsWith('{"error":{')) errorOf(body);
}
