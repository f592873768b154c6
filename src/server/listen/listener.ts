import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Connections } from "./connections.js";

export interface ListenerParts {
  readonly app: FastifyInstance;
  /**
   * Connections of each server of the application; a host name with several addresses has several servers.
   */
  readonly connections: () => readonly Connections[];
  readonly scheme: "http" | "https";
  /** Ends work that closing the application does not end. */
  readonly closing?: () => void;
}

/** An application that can listen on a port and be stopped. */
export class Listener {
  readonly #parts: ListenerParts;

  constructor(parts: ListenerParts) {
    this.#parts = parts;
  }

  /** Listens on a port, 0 for any free one. @returns the base address. */
  async listen(host: string, port: number): Promise<string> {
    const { app, scheme } = this.#parts;
    await app.listen({ host, port });
    const { address, family, port: actual } = app.server.address() as AddressInfo;
    return `${scheme}://${family === "IPv6" ? `[${address}]` : address}:${actual}`;
  }

  /** Stops accepting connections and waits for requests in progress. */
  async close(): Promise<void> {
    const { app, connections, closing } = this.#parts;
    const closed = app.close();
    closing?.();
    for (const some of connections()) some.closeIdle();
    await closed;
  }

  /** Cuts all connections, which lets {@link close} finish. */
  cut(): void {
    for (const some of this.#parts.connections()) some.cut();
  }
}
