import { once } from "node:events";
import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { loopbackServer } from "../../../src/http/testing/loopback-server.js";

/** How the proxy handles an exchange. */
export type Fault =
  /** Closes the connection before the server receives the request. */
  | "cut before"
  /** Closes the connection after the server's response. */
  | "cut after"
  /** Closes the connection within the response body. */
  | "cut within"
  /** Sends half of the response body as if it were complete. */
  | "half"
  /** Forwards the request, and holds the response back until released. */
  | "held"
  /** Forwards the exchange. */
  | "none"
  /** Responds without the server. */
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    };

/** A request that the proxy received. */
export interface Seen {
  readonly method: string;
  /** Path and query, not decoded. */
  readonly target: string;
  readonly authorization: string | undefined;
  /** Resolves when either side has closed the connection. */
  readonly closed: Promise<unknown>;
}

/** A proxy in front of a server. It can simulate failures. */
export interface FaultyProxy {
  readonly url: string;
  /** All requests so far. */
  readonly seen: readonly Seen[];
  /** Sets failures of the next requests, in order. Later requests are forwarded. */
  next(...faults: readonly Fault[]): void;
  /** Sends all held responses. From then on, holds no more. */
  release(): void;
  close(): Promise<void>;
}

/** Starts a proxy in front of the server at `upstream`. */
export async function faultyProxy(upstream: string): Promise<FaultyProxy> {
  const seen: Seen[] = [];
  const faults: Fault[] = [];
  const held = new AbortController();
  const { origin, close } = await loopbackServer((incoming, outgoing) => {
    const { method = "", url: target = "", headers } = incoming;
    seen.push({ method, target, authorization: headers.authorization, closed: once(outgoing, "close") });
    response(incoming, outgoing, upstream, faults.shift() ?? "none", held.signal).catch(() =>
      outgoing.destroy(),
    );
  });
  return {
    url: origin,
    seen,
    next: (...more) => {
      faults.push(...more);
    },
    release: () => {
      held.abort();
    },
    close,
  };
}

async function response(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  upstream: string,
  fault: Fault,
  held: AbortSignal,
): Promise<void> {
  const body = await buffer(incoming);
  if (typeof fault === "object") {
    outgoing.writeHead(fault.status, fault.headers).end(fault.body);
    return;
  }
  if (fault === "cut before") {
    outgoing.destroy();
    return;
  }
  const { hostname, port } = new URL(upstream);
  // A client cannot decode half of a compressed body.
  const { host: _, "accept-encoding": __, ...headers } = incoming.headers;
  const passedOn = request({ hostname, port, method: incoming.method, path: incoming.url, headers });
  passedOn.end(body);
  const [response] = (await once(passedOn, "response")) as [IncomingMessage];
  const bytes = await buffer(response);
  if (fault === "held" && !held.aborted) await once(held, "abort");
  const half = bytes.subarray(0, Math.ceil(bytes.length / 2));
  if (fault === "cut after") outgoing.destroy();
  else if (fault === "cut within") {
    outgoing.writeHead(response.statusCode ?? 0, response.headers);
    outgoing.write(half, () => outgoing.destroy());
  } else if (fault === "half") {
    outgoing.writeHead(response.statusCode ?? 0, { ...response.headers, "content-length": half.length });
    outgoing.end(half);
  } else outgoing.writeHead(response.statusCode ?? 0, response.headers).end(bytes);
}
