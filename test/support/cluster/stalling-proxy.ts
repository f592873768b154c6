import { tcpProxy } from "./tcp-proxy.js";

/** A TCP proxy that can make connections hang: they stay open and silent. */
export interface StallingProxy {
  readonly port: number;
  /** Stops forwarding on all connections, also on new ones. */
  stall(): void;
  /** Forwards new connections again. Hanging connections stay silent. */
  resume(): void;
  close(): Promise<void>;
}

export async function stallingProxy(upstreamPort: number): Promise<StallingProxy> {
  let isStalled = false;
  const { port, sockets, close } = await tcpProxy(
    upstreamPort,
    (client, connectUpstream) => {
      if (!isStalled) client.pipe(connectUpstream()).pipe(client);
    },
    { allowHalfOpen: true },
  );
  return {
    port,
    close,
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
  };
}
