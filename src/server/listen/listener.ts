import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Connections } from "./connections.js";

/** What a {@link Listener} is made of. */
export interface ListenerParts {
  readonly app: FastifyInstance;
  /** The connections of each server of the application; it has several where a host name has several addresses. */
  readonly connections: () => readonly Connections[];
  readonly scheme: "http" | "https";
  /** Ends what would go on after the application was told to close. */
  readonly closing?: () => void;
}

/** Something that can be listened on, and stopped. */
export class Listener {
  readonly #parts: ListenerParts;

  constructor(parts: ListenerParts) {
    this.#parts = parts;
  }

  /** Listens on a port, 0 for any. @returns the base address. */
  async listen(host: string, port: number): Promise<string> {
    const { app, scheme } = this.#parts;
    await app.listen({ host, port });
    const { address, family, port: actual } = app.server.address() as AddressInfo;
    return `${scheme}://${family === "IPv6" ? `[${address}]` : address}:${actual}`;
  }

  /** Stops accepting, and lets what is under way finish. */
  async close(): Promise<void> {
    const { app, connections, closing } = this.#parts;
    const closed = app.close();
    closing?.();
    for (const some of connections()) some.closeIdle();
    await closed;
  }

  /** Closes all connections, so that {@link close} ends. */
  cut(): void {
    for (const some of this.#parts.connections()) some.cut();
  }
}
