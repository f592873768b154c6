import { once } from "node:events";
import { type AddressInfo, connect, createServer, type ServerOpts, type Socket } from "node:net";

export interface TcpProxy {
  readonly port: number;
  readonly sockets: ReadonlySet<Socket>;
  close(): Promise<void>;
}

/** Starts a proxy. `onClient` receives each client, and can connect it to the upstream. */
export async function tcpProxy(
  upstreamPort: number,
  onClient: (client: Socket, connectUpstream: () => Socket) => void,
  options: ServerOpts = {},
): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const add = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
  };
  const server = createServer(options, (client) => {
    add(client);
    onClient(client, () => {
      const upstream = add(connect({ host: "127.0.0.1", port: upstreamPort }));
      client.on("close", () => upstream.destroy());
      return upstream.on("close", () => client.destroy());
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
