import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { spawnProcess } from "../support/cluster/debian-process.js";
import { freePort } from "../support/cluster/free-port.js";
import { accepted, listOf } from "../support/data/delivery-data.js";
import { importInto, ndjson } from "../support/data/import.js";
import { nameOf } from "../support/data/integrity.js";
import { envelope } from "../support/http/calls.js";
import type { HttpResponse } from "../support/http/exchange.js";
import { openSession, responseOf } from "../support/http/http2.js";
import { TLS } from "../support/http/post-over-tls.js";
import { need } from "../support/needs.js";
import { packagePath } from "../support/package-path.js";
import { test as serving } from "../support/servers/process-fixtures.js";
import { IOS_APP, PROJECT } from "../support/servers/project.js";

need("caddy", "haproxy", "nginx");

/** Each proxy's file in `deploy/proxy`, and its command line. nginx has no workers here, because they would outlive it. */
const PROXIES = {
  Caddyfile: (file: string) => ["caddy", "run", "--adapter", "caddyfile", "--config", file],
  "haproxy.cfg": (file: string) => ["haproxy", "-db", "-f", file],
  "nginx.conf": (file: string) => [
    "nginx",
    "-g",
    `daemon off; master_process off; pid ${file}.pid;`,
    "-e",
    "stderr",
    "-c",
    file,
  ],
};

const HOSTS = { integrity: "integrity.example.com", messaging: "messaging.example.com" };

const test = serving.extend(
  "start",
  ({ directory, onTestFinished, server }) =>
    async (name: keyof typeof PROXIES) => {
      const port = await freePort();
      const pem = join(directory, "both.pem");
      writeFileSync(pem, readFileSync(TLS.certificate, "utf8") + readFileSync(TLS.key, "utf8"));
      const portOf = (url: string): string => new URL(url).port;
      const text = readFileSync(packagePath(`deploy/proxy/${name}`), "utf8")
        .replaceAll(/127\.0\.0\.1:8080|waybill 8080/g, (at) =>
          at.replace("8080", portOf(server.integrityUrl)),
        )
        .replaceAll(/127\.0\.0\.1:8081|waybill 8081/g, (at) =>
          at.replace("8081", portOf(server.messagingDataUrl)),
        )
        .replaceAll(/127\.0\.0\.1:8082|waybill 8082/g, (at) => at.replace("8082", portOf(server.registryUrl)))
        .replaceAll(/\/etc\/\w+\/example\.com\.key/g, TLS.key)
        .replaceAll(/\/etc\/\w+\/example\.com\.pem/g, pem)
        .replaceAll(/bind :443|listen 443/g, (at) => at.replace("443", String(port)))
        .replaceAll(/^(\w+\.example\.com) \{/gm, `https://$1:${port} {`);
      const file = join(directory, name);
      // Caddy without its control port.
      writeFileSync(file, name === "Caddyfile" ? `{\nadmin off\nauto_https off\n}\n${text}` : text);
      const [program = "", ...args] = PROXIES[name](file);
      const proxy = spawnProcess(program, args);
      onTestFinished(() => proxy.kill());
      await proxy.listens(port);
      return port;
    },
);

/** Sends a request over TLS and HTTP/1.1. */
async function call(
  port: number,
  host: string,
  path: string,
  { token, body }: { readonly token?: string; readonly body?: string } = {},
): Promise<Pick<HttpResponse, "status" | "text">> {
  const outgoing = request({
    host: "127.0.0.1",
    port,
    path,
    servername: host,
    rejectUnauthorized: false,
    method: body === undefined ? "GET" : "POST",
    headers: {
      host,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/x-ndjson" }),
    },
  });
  outgoing.end(body);
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  return { status: response.statusCode ?? 0, text: Buffer.concat(await response.toArray()).toString() };
}

describe.each(Object.keys(PROXIES) as (keyof typeof PROXIES)[])("deploy/proxy/%s", (name) => {
  test("forwards HTTP/1.1, HTTP/2, gRPC and Connect over TLS", async ({ editor, start }) => {
    const port = await start(name);
    const get = await call(port, HOSTS.integrity, `/v1/${nameOf(IOS_APP)}`, { token: editor });
    expect(get).toEqual({ status: 200, text: expect.stringContaining("tokenTtl") });
    // Larger than the limits of some proxies.
    const body = ndjson(Array.from({ length: 20_000 }, () => accepted("proxy", "2025-06-02T12:00:00-07:00")));
    const imported = await call(port, HOSTS.messaging, importInto(PROJECT.id), { token: editor, body });
    expect(imported).toEqual({ status: 200, text: expect.stringContaining('"importedCount":"20000"') });
    expect((await call(port, HOSTS.messaging, "/console/")).status).toBe(200);

    const session = await openSession(`https://127.0.0.1:${port}`, {
      servername: HOSTS.messaging,
      rejectUnauthorized: false,
      ALPNProtocols: ["h2"],
    });
    const head = { ":authority": HOSTS.messaging, authorization: `Bearer ${editor}` };
    const listed = await responseOf(session.request({ ...head, ":path": listOf("proxy", PROJECT.id) }));
    expect(listed.status).toBe(200);
    const health = session.request({
      ...head,
      ":method": "POST",
      ":path": "/grpc.health.v1.Health/Check",
      "content-type": "application/grpc",
      te: "trailers",
    });
    health.end(envelope(new Uint8Array()));
    const healthy = await responseOf(health);
    expect([healthy.status, healthy.trailers["grpc-status"]]).toEqual([200, "0"]);
    const connect = session.request({
      ...head,
      ":method": "POST",
      ":path": "/waybill.messagingdata.v1beta1.MessagingDataService/ListAndroidDeliveryData",
      "content-type": "application/json",
    });
    connect.end(JSON.stringify({ parent: `projects/${PROJECT.id}/androidApps/proxy` }));
    expect((await responseOf(connect)).status).toBe(200);
    session.close();
  });
});
