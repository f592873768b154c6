import { once } from "node:events";
import { type Agent, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";

/** What a test sends; nothing is added to it but `Host` and what the body needs. */
export interface Sent {
  readonly method?: string;
  /** An access token for `Authorization: Bearer`. */
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent with `Content-Length`, or in chunks where `Transfer-Encoding` says so. */
  readonly body?: string | Buffer;
  /** Keeps connections for further requests; each has its own if it is left out. */
  readonly agent?: Agent;
}

/** What came back, its body as it was on the wire. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
}

/** Sends one request whose target reaches the server as it is written, which `fetch` would normalise. */
export async function send(url: string, target: string, sent: Sent = {}): Promise<Answer> {
  const { method = "GET", token, headers = {}, body, agent = false } = sent;
  const { hostname, port } = new URL(url);
  // Brackets are of URLs only.
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
  // One that comes before the answer is told by `once`; afterwards the answer says it.
  outgoing.on("error", () => {});
  outgoing.end(body);
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  const bytes = Buffer.concat(await response.toArray());
  return { status: response.statusCode ?? 0, headers: response.headers, bytes, text: bytes.toString() };
}
