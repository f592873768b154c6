import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Last part of a response that confirms a commit. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** A proxy in front of PostgreSQL that holds back responses to chosen statements. */
export interface HoldingPostgresProxy {
  readonly port: number;
  /** Lets the next statement that matches run, and never responds to it. @returns a promise that resolves when it is committed. */
  hold(statement: RegExp): Promise<void>;
  close(): Promise<void>;
}

/** Starts a proxy in front of a port of this machine, for connections without TLS. */
export async function holdingPostgresProxy(upstreamPort: number): Promise<HoldingPostgresProxy> {
  const sockets = new Set<Socket>();
  const add = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
  };
  let next: { readonly statement: RegExp; readonly committed: () => void } | undefined;
  const server = createServer((client) => {
    add(client);
    const upstream = add(connect({ host: "127.0.0.1", port: upstreamPort }));
    let held: (() => void) | undefined;
    let response = Buffer.alloc(0);
    client.on("data", (bytes) => {
      if (next?.statement.test(bytes.toString("latin1"))) {
        held = next.committed;
        next = undefined;
      }
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      if (held === undefined) {
        client.write(bytes);
        return;
      }
      response = Buffer.concat([response, bytes]);
      if (response.subarray(-READY.length).equals(READY)) held();
    });
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    hold: (statement) =>
      new Promise((resolve) => {
        next = { statement, committed: resolve };
      }),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
