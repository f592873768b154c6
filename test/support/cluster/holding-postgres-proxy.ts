import { tcpProxy } from "./tcp-proxy.js";

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
  let next: { readonly statement: RegExp; readonly committed: () => void } | undefined;
  const { port, close } = await tcpProxy(upstreamPort, (client, connectUpstream) => {
    const upstream = connectUpstream();
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
  });
  return {
    port,
    close,
    hold: (statement) =>
      new Promise((resolve) => {
        next = { statement, committed: resolve };
      }),
  };
}
