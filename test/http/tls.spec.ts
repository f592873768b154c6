import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { copyFile, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import {
  connect as connectHttp2,
  type IncomingHttpHeaders,
  type SecureClientSessionOptions,
} from "node:http2";
import { type RequestOptions, request } from "node:https";
import { connect } from "node:net";
import { join } from "node:path";
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from "node:tls";
import { fileURLToPath } from "node:url";
import { describe, expect } from "vitest";
import { stringify } from "yaml";
import { listOf } from "../support/data/delivery-data.js";
import { untilLogged } from "../support/servers/log.js";
import { test as serving } from "../support/servers/process-fixtures.js";
import { ANDROID_APP, BASE_CONFIG, VIEWER } from "../support/servers/project.js";
import { promptStop } from "../support/servers/prompt-stop.js";
import { FREE_PORTS } from "../support/servers/serve-process.js";
import { waybill } from "../support/servers/waybill-command.js";

const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url));
const read = (name: string): Buffer => readFileSync(fixture(name));

const CA = read("ca.pem");
const SERVER = { certificate: fixture("server.pem"), key: fixture("server.key") };
const CLIENT = { cert: read("client.pem"), key: read("client.key") };

serving.override("config", { ...BASE_CONFIG, tls: SERVER });
const test = serving
  /** A server that asks clients for certificates. */
  .extend("mutual", { scope: "file" }, ({ openSharedServer }) =>
    openSharedServer({ ...BASE_CONFIG, tls: { ...SERVER, clientCa: fixture("ca.pem") } }),
  );

/** Status and JSON of a GET over HTTP/1.1. */
async function getByHttp1(url: string, token: string, options: RequestOptions = {}) {
  const headers = { authorization: `Bearer ${token}` };
  const offered: ConnectionOptions = { ca: CA, ALPNProtocols: ["http/1.1"] };
  const sent = request(url, { ...offered, headers, agent: false, ...options });
  sent.end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return {
    status: response.statusCode,
    json: JSON.parse(Buffer.concat(await response.toArray()).toString()),
  };
}

/** Headers, body and trailers of one HTTP/2 stream. */
async function exchange(
  url: string,
  headers: Record<string, string>,
  body: Buffer | undefined,
  options: SecureClientSessionOptions = {},
) {
  const session = connectHttp2(url, { ca: CA, ...options });
  try {
    await once(session, "connect");
    const stream = session.request(headers);
    stream.end(body);
    let trailers: IncomingHttpHeaders = {};
    stream.on("trailers", (received) => {
      trailers = received;
    });
    const [response] = (await once(stream, "response")) as [IncomingHttpHeaders];
    return { response, trailers: () => trailers, bytes: Buffer.concat(await stream.toArray()) };
  } finally {
    session.close();
  }
}

/** The common name of the certificate that a service presents. */
async function certificateOf(url: string): Promise<string> {
  const socket = connectTls({ ...address(url), rejectUnauthorized: false });
  await once(socket, "secureConnect");
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}

const fingerprintOf = (name: string): string => new X509Certificate(read(name)).fingerprint256;

test("a changed certificate is used for new connections, immediately after SIGHUP", async ({
  directory,
  openServer,
}) => {
  const files = { certificate: join(directory, "server.pem"), key: join(directory, "server.key") };
  await copyFile(SERVER.certificate, files.certificate);
  await copyFile(SERVER.key, files.key);
  const server = await openServer({ ...BASE_CONFIG, tls: files });
  const token = await server.token(VIEWER);
  const url = server.messagingDataUrl + listOf(ANDROID_APP);
  const session = connectHttp2(server.messagingDataUrl, { ca: CA });
  await once(session, "connect");

  await writeFile(files.certificate, "not a certificate");
  server.process.kill("SIGHUP");
  await untilLogged(server, "tls.certificate");
  expect(await certificateOf(server.integrityUrl)).toBe(fingerprintOf("server.pem"));

  await copyFile(fixture("other.pem"), files.certificate);
  await copyFile(fixture("other.key"), files.key);
  server.process.kill("SIGHUP");
  await untilLogged(server, "reloaded the TLS files");
  for (const service of [server.integrityUrl, server.messagingDataUrl]) {
    expect(await certificateOf(service)).toBe(fingerprintOf("other.pem"));
  }
  const options = { rejectUnauthorized: false };
  expect((await getByHttp1(url, token, options)).status).toBe(200);

  const stream = session.request({ ":path": listOf(ANDROID_APP), authorization: `Bearer ${token}` });
  stream.resume().end();
  const [response] = (await once(stream, "response")) as [IncomingHttpHeaders];
  expect(response[":status"]).toBe(200);
  session.close();
});

describe("a server with a certificate", () => {
  test("serves all services over HTTPS, and the admin listener without TLS", async ({ server }) => {
    expect(server.integrityUrl).toMatch(/^https:/);
    expect(server.messagingDataUrl).toMatch(/^https:/);
    expect((await fetch(`${server.adminUrl}/readyz`)).status).toBe(200);
  });

  test("serves HTTP/1.1 on request", async ({ server, viewer }) => {
    expect(await getByHttp1(server.messagingDataUrl + listOf(ANDROID_APP), viewer)).toEqual({
      status: 200,
      json: {},
    });
  });

  test("serves HTTP/2 on request", async ({ server, viewer }) => {
    const headers = { ":path": listOf(ANDROID_APP), authorization: `Bearer ${viewer}` };
    const { response, bytes } = await exchange(server.messagingDataUrl, headers, undefined);
    expect([response[":status"], String(bytes)]).toEqual([200, "{}"]);
  });

  test("serves gRPC", async ({ server }) => {
    const headers = {
      ":method": "POST",
      ":path": "/grpc.health.v1.Health/Check",
      "content-type": "application/grpc",
      te: "trailers",
    };
    const { bytes, trailers } = await exchange(server.integrityUrl, headers, Buffer.alloc(5));
    // The envelope, and the field `status` with the value SERVING.
    expect([...bytes]).toEqual([0, 0, 0, 0, 2, 8, 1]);
    expect(trailers()["grpc-status"]).toBe("0");
  });

  test("names its https address in descriptions", async ({ server, viewer }) => {
    const { json } = await getByHttp1(`${server.integrityUrl}/openapi.json`, viewer);
    expect(json.servers).toEqual([{ url: server.integrityUrl }]);
  });

  test.for<[what: string, options: ConnectionOptions]>([
    ["a version before 1.2", { maxVersion: "TLSv1.1", minVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" }],
    ["a protocol that it does not speak", { ALPNProtocols: ["spdy/3"] }],
  ])("rejects %s", async ([_, options], { server, viewer }) => {
    const socket = connectTls({ ...address(server.integrityUrl), ca: CA, ...options });
    expect(await outcomeOf(socket)).toBe("rejected");
    expect((await getByHttp1(server.messagingDataUrl + listOf(ANDROID_APP), viewer)).status).toBe(200);
  });

  test("sends no response to unencrypted requests, and continues to serve others", async ({
    server,
    viewer,
  }) => {
    const socket = connect(address(server.integrityUrl));
    socket.end("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    socket.on("error", () => {});
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    await once(socket, "close");
    expect(Buffer.concat(chunks).toString("latin1")).not.toContain("HTTP/1.1");
    expect((await getByHttp1(server.messagingDataUrl + listOf(ANDROID_APP), viewer)).status).toBe(200);
  });

  test("rejects renegotiation", async ({ server }) => {
    const socket = connectTls({ ...address(server.integrityUrl), ca: CA, maxVersion: "TLSv1.2" });
    await once(socket, "secureConnect");
    const outcome = await new Promise((resolve) => {
      for (const event of ["error", "close"]) socket.once(event, () => resolve("rejected"));
      socket.renegotiate({}, (error) => resolve(error === null ? "negotiated" : "rejected"));
    });
    socket.destroy();
    expect(outcome).toBe("rejected");
  });

  test("stops immediately despite open connections of both versions and an unfinished handshake", async ({
    openServer,
  }) => {
    const own = await openServer();
    const session = connectHttp2(own.integrityUrl, { ca: CA });
    await once(session, "connect");
    const idle = connectTls({ ...address(own.integrityUrl), ca: CA, ALPNProtocols: ["http/1.1"] });
    await once(idle, "secureConnect");
    const silent = connect(address(own.integrityUrl));
    await once(silent, "connect");
    const closed = [once(session, "close"), once(idle.resume(), "close"), once(silent.resume(), "close")];
    expect(await promptStop(own)).toBe(0);
    await Promise.all(closed);
  });
});

describe("a server that requires client certificates", () => {
  test("serves clients that have a certificate, but still requires a token", async ({ mutual }) => {
    const viewer = await mutual.token(VIEWER);
    const url = mutual.messagingDataUrl + listOf(ANDROID_APP);
    expect((await getByHttp1(url, viewer, CLIENT)).status).toBe(200);
    expect((await getByHttp1(url, "nonsense", CLIENT)).status).toBe(401);
    const headers = { ":path": listOf(ANDROID_APP), authorization: `Bearer ${viewer}` };
    const { response } = await exchange(mutual.messagingDataUrl, headers, undefined, CLIENT);
    expect(response[":status"]).toBe(200);
  });

  test.for<[what: string, options: RequestOptions]>([
    ["without a certificate", {}],
    ["with a certificate from another authority", { cert: read("other.pem"), key: read("other.key") }],
    ["with a chain of 200 KB", { ...CLIENT, cert: Buffer.concat(Array(400).fill(CLIENT.cert)) }],
  ])("rejects a client %s", async ([_, options], { mutual }) => {
    await expect(
      getByHttp1(mutual.messagingDataUrl + listOf(ANDROID_APP), await mutual.token(VIEWER), options),
    ).rejects.toThrow();
  });
});

describe("unusable TLS files are reported in one line at startup", () => {
  test.for<[key: string, tls: object, problem: RegExp]>([
    [
      "certificate",
      { ...SERVER, certificate: "missing.pem" },
      /missing\.pem cannot be read: there is no such file/,
    ],
    [
      "key",
      { ...SERVER, key: "missing.key" },
      /missing\.key cannot be read: there is no such file or directory/,
    ],
    [
      "clientCa",
      { ...SERVER, clientCa: "missing.pem" },
      /missing\.pem cannot be read: there is no such file/,
    ],
    ["certificate", { ...SERVER, certificate: SERVER.key }, /cannot be used/],
    ["key", { ...SERVER, key: SERVER.certificate }, /cannot be used/],
    ["key", { ...SERVER, key: fixture("client.key") }, /cannot be used: .*mismatch/],
    ["clientCa", { ...SERVER, clientCa: SERVER.key }, /cannot be used/],
    ["key", { certificate: SERVER.certificate }, /is required/],
    ["cert", { ...SERVER, cert: "x" }, /is not a known key/],
  ])("tls.%s %j", async ([key, tls, problem], { directory }) => {
    const file = join(directory, "waybill.yaml");
    await writeFile(file, stringify({ ...BASE_CONFIG, tls }));
    const { code, stdout, stderr } = await waybill([
      ...["serve", "--config", file, "--data-dir", join(directory, "data")],
      ...FREE_PORTS,
    ]);
    expect([code, stdout]).toEqual([1, ""]);
    const lines = stderr.trimEnd().split("\n");
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(new RegExp(`^waybill: tls\\.${key}: `));
    expect(lines[0]).toMatch(problem);
  });
});

const address = (url: string): { host: string; port: number } => {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
};

function outcomeOf(socket: TLSSocket): Promise<"connected" | "rejected"> {
  return new Promise((resolve) => {
    socket.once("secureConnect", () => resolve("connected"));
    socket.once("error", () => resolve("rejected"));
    socket.once("close", () => resolve("rejected"));
  }).finally(() => socket.destroy()) as Promise<"connected" | "rejected">;
}
