import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Server as TlsServer } from "node:tls";
import type { Connections } from "./connections.js";
import type { TlsMaterial } from "./tls.js";

export interface ListenerParts {
  readonly server: Server;
  /** The connections of the server. */
  readonly connections: Connections;
  readonly scheme: "http" | "https";
  /** Asks clients to close their connections. If omitted, they are not asked. */
  readonly drain?: () => void;
  /** Refuses new requests, and ends work that closing the server does not end. */
  readonly stop: () => void;
  /** Releases what the server needs for its requests. Called once no connection is left. */
  readonly release: () => Promise<void>;
}

/** A server that can listen on a port and be stopped. */
export class Listener {
  readonly #parts: ListenerParts;

  constructor(parts: ListenerParts) {
    this.#parts = parts;
  }

  /**
   * Listens on a port, 0 for any free one.
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

  /** Asks clients to close their connections, and still serves all requests. */
  drain(): void {
    this.#parts.drain?.();
  }

  /** Stops accepting connections and waits for requests in progress. */
  async close(): Promise<void> {
    const { server, connections, stop, release } = this.#parts;
    stop();
    // Reports an error only if the server does not listen, which is as good as closed.
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    connections.closeIdle();
    await closed;
    await release();
  }

  /** Cuts all connections, which lets {@link close} finish. */
  cut(): void {
    this.#parts.connections.cut();
  }
}
