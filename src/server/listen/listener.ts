import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Server as TlsServer } from "node:tls";
import type { Connections } from "./connections.js";
import type { TlsMaterial } from "./tls.js";

export interface ListenerParts {
  readonly server: Server;
  readonly connections: Connections;
  readonly scheme: "http" | "https";
  /** Asks clients to close their connections. Omitted if the protocol has no way to ask. */
  readonly drain?: () => void;
  /** Rejects new requests, and ends work that continues after the server was closed. */
  readonly stop: () => void;
  /** Releases the resources of requests. Called when all connections are closed. */
  readonly release: () => Promise<void>;
}

/** A server that can listen on a port and be stopped. */
export class Listener {
  readonly #parts: ListenerParts;

  constructor(parts: ListenerParts) {
    this.#parts = parts;
  }

  /**
   * Listens on a port. With port 0, the system chooses a free one.
   *
   * @returns the base address.
   * @throws a system error if the port cannot be used.
   */
  async listen(host: string, port: number): Promise<string> {
    const { server, scheme } = this.#parts;
    server.listen({ host, port });
    await once(server, "listening");
    const { address, family, port: actual } = server.address() as AddressInfo;
    return `${scheme}://${family === "IPv6" ? `[${address}]` : address}:${actual}`;
  }

  /** Uses another certificate for new connections. */
  setTls(material: TlsMaterial): void {
    const { server } = this.#parts;
    if (server instanceof TlsServer) server.setSecureContext(material);
  }

  /** Asks clients to close their connections, while requests are still served. */
  drain(): void {
    this.#parts.drain?.();
  }

  /** Stops accepting connections. Resolves when all requests in progress have ended. */
  async close(): Promise<void> {
    const { server, connections, stop, release } = this.#parts;
    stop();
    // Closing fails only if the server does not listen, so there is nothing to close.
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    connections.closeIdle();
    await closed;
    await release();
  }

  /** Closes all connections immediately, so that {@link close} resolves. */
  cut(): void {
    this.#parts.connections.cut();
  }
}
