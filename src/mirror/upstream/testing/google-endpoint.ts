import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer as createProxy, type RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { vi } from "vitest";
import type { LoopbackServer } from "../../../http/testing/loopback-server.js";

/** A stand-in for Google's token endpoint, whose address the library has built in. */
export interface EndpointOfGoogle extends LoopbackServer {
  /** Hosts that were asked for. */
  readonly hosts: readonly string[];
}

/**
 * Answers all HTTPS requests of the library, by way of a proxy that the environment names until the test ends, and that
 * leads to this process whatever host it is asked for.
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
  // The certificate is for this machine.
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
