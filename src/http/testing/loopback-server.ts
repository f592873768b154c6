import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export interface LoopbackServer {
  /** Origin of the server, such as `http://127.0.0.1:40123`. */
  readonly origin: string;
  /** Stops the server and closes all connections. */
  close(): Promise<void>;
}

/** Starts a server on a free port of the loopback interface. */
export async function loopbackServer(listener: RequestListener): Promise<LoopbackServer> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
