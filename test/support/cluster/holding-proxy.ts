import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { loopbackServer } from "../../../src/http/testing/loopback-server.js";

/** A proxy in front of a ClickHouse server, which holds back responses to chosen statements. */
export interface HoldingProxy {
  readonly url: string;
  /**
   * Runs the next statement that matches, and holds back its response. @returns a promise that resolves when the
   * server has run it.
   */
  hold(statement: RegExp): Promise<void>;
  /** Sends the held response, if its client is still waiting. */
  release(): void;
  /** Closes the held connection without its response. */
  cut(): void;
  close(): Promise<void>;
}

/** Reason for dropping a held response. */
const CUT = new Error("cut");

export async function holdingProxy(upstream: string): Promise<HoldingProxy> {
  const { hostname, port } = new URL(upstream);
  let next: { readonly statement: RegExp; readonly ran: () => void } | undefined;
  let released = new AbortController();
  const { origin, close } = await loopbackServer((incoming, outgoing) => {
    const pass = async (): Promise<void> => {
      const sent = await buffer(incoming);
      const passedOn = request({
        hostname,
        port,
        method: incoming.method,
        path: incoming.url,
        headers: incoming.headers,
      });
      passedOn.end(sent);
      const [response] = (await once(passedOn, "response")) as [IncomingMessage];
      const body = await buffer(response);
      const query = new URL(incoming.url ?? "", upstream).searchParams.get("query") ?? sent.toString();
      if (next?.statement.test(query)) {
        const { ran } = next;
        next = undefined;
        ran();
        const { signal } = released;
        if (!signal.aborted) await once(signal, "abort");
        if (signal.reason === CUT) return void outgoing.destroy();
      }
      outgoing.writeHead(response.statusCode ?? 0, response.headers).end(body);
    };
    pass().catch(() => outgoing.destroy());
  });
  return {
    url: origin,
    hold: (statement) => {
      released = new AbortController();
      return new Promise((resolve) => {
        next = { statement, ran: resolve };
      });
    },
    release: () => released.abort(),
    cut: () => released.abort(CUT),
    close,
  };
}
