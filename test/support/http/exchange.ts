import { once } from "node:events";
import { type Agent, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";

/** A request. Only `Host` and the headers that the body needs are added. */
export interface Sent {
  readonly method?: string;
  /** Access token for `Authorization: Bearer`. */
  readonly token?: string | undefined;
  /** A list is sent as several headers. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Sent with `Content-Length`, or in chunks if `Transfer-Encoding` is set. */
  readonly body?: string | Buffer;
  /** Reuses connections. If omitted, each request has its own connection. */
  readonly agent?: Agent;
}

/** A response, with the body as received. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
}

/** Sends a request with an exact target, which `fetch` would normalize. */
export async function send(url: string, target: string, sent: Sent = {}): Promise<HttpResponse> {
  const { method = "GET", token, headers = {}, body, agent = false } = sent;
  const { hostname, port } = new URL(url);
  // Only URLs put brackets around IPv6 addresses.
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const length =
    body === undefined || headers["transfer-encoding"] ? {} : { "content-length": Buffer.byteLength(body) };
  const outgoing = request({
    host,
    port,
    method,
    path: target,
    headers: { ...authorization, ...length, ...headers },
    agent,
  });
  // `once` reports errors before the response; the response reports later ones.
  outgoing.on("error", () => {});
  outgoing.end(body);
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  const bytes = Buffer.concat(await response.toArray());
  return { status: response.statusCode ?? 0, headers: response.headers, bytes, text: bytes.toString() };
}

/** Returns a function that sends requests to a server, by default with a token. */
export const sender =
  (url: string, token: string) =>
  (target: string, sent: Sent = {}): Promise<HttpResponse> =>
    send(url, target, { token, ...sent });
