import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer as createProxy, type RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { vi } from "vitest";
import type { LoopbackServer } from "../../../http/testing/loopback-server.js";

/** Replaces Google's token endpoint, because the library always uses its address. */
export interface EndpointOfGoogle extends LoopbackServer {
  readonly hosts: readonly string[];
}

/**
 * Responds to all HTTPS requests of the library. The environment names a proxy that connects every host to this
 * process, until the test ends.
 */
export async function endpointOfGoogle(listener: RequestListener): Promise<EndpointOfGoogle> {
  const endpoint = createServer({ key: fixture("server.key"), cert: fixture("server.pem") }, listener);
  const hosts: string[] = [];
  const sockets: Duplex[] = [];
  const proxy = createProxy().on("connect", ({ url = "" }, socket: Duplex) => {
    hosts.push(url);
    sockets.push(socket);
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    endpoint.emit("connection", socket);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  vi.stubEnv("HTTPS_PROXY", origin);
  // The certificate is issued for this machine instead of Google's hosts.
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  return {
    origin,
    hosts,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, "close");
    },
  };
}

const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../../../../test/fixtures/tls/${name}`, import.meta.url));
