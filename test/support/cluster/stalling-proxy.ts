import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP proxy that can make connections hang: they stay open and silent. */
export interface StallingProxy {
  readonly port: number;
  /** Stops forwarding on all connections, also on new ones. */
  stall(): void;
  /** Forwards new connections again. Hanging connections stay silent. */
  resume(): void;
  close(): Promise<void>;
}

/** Starts a proxy in front of a port of this machine. */
export async function stallingProxy(upstreamPort: number): Promise<StallingProxy> {
  const sockets = new Set<Socket>();
  let isStalled = false;
  const add = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    add(client);
    if (isStalled) return;
    const upstream = add(connect({ host: "127.0.0.1", port: upstreamPort }));
    client.pipe(upstream).pipe(client);
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    stall: () => {
      isStalled = true;
      for (const socket of sockets) {
        socket.unpipe();
        socket.pause();
      }
    },
    resume: () => {
      isStalled = false;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
