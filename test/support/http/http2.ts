import { once } from "node:events";
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type SecureClientSessionOptions,
} from "node:http2";
import type { HttpResponse, Sent } from "./exchange.js";

/** Everything received on a stream until it was closed. */
export interface StreamResponse {
  /** 0 without a response. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly trailers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** Error code of the RST_STREAM frame (RFC 9113 §7); also 0 if there was none. */
  readonly resetCode: number;
}

/** Opens an HTTP/2 connection with prior knowledge. */
export async function openSession(
  url: string,
  options: SecureClientSessionOptions = {},
): Promise<ClientHttp2Session> {
  const session = connect(url, options);
  session.on("error", () => {});
  await once(session, "connect");
  return session;
}

/** Reads a stream until it closes. */
export async function responseOf(stream: ClientHttp2Stream): Promise<StreamResponse> {
  let headers: IncomingHttpHeaders = {};
  let trailers: IncomingHttpHeaders = {};
  const chunks: Buffer[] = [];
  stream.on("response", (given) => {
    headers = given;
  });
  stream.on("trailers", (given: IncomingHttpHeaders) => {
    trailers = given;
  });
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  // `resetCode` reports the error.
  stream.on("error", () => {});
  await new Promise<void>((resolve) => stream.once("close", resolve));
  const { ":status": status = 0, ...others } = headers;
  return {
    status: Number(status),
    headers: withoutSymbols(others),
    trailers: withoutSymbols(trailers),
    bytes: Buffer.concat(chunks),
    resetCode: stream.rstCode ?? 0,
  };
}

/** Removes the symbols that Node adds. */
const withoutSymbols = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers));

/** Sends a request, with or without a body, on a new connection and waits until its stream has closed. */
export async function exchangeHttp2(
  url: string,
  headers: OutgoingHttpHeaders,
  body?: string | Buffer,
): Promise<StreamResponse> {
  const session = await openSession(url);
  try {
    const stream = session.request(headers, { endStream: body === undefined });
    const response = responseOf(stream);
    if (body !== undefined) stream.end(body);
    return await response;
  } finally {
    session.destroy();
  }
}

/** Sends a request like `send`, but over HTTP/2. */
export async function sendHttp2(url: string, target: string, sent: Sent = {}): Promise<HttpResponse> {
  const session = await openSession(url);
  try {
    return await sendOn(session, target, sent);
  } finally {
    session.destroy();
  }
}

/** Sends a request like `send`, but on an open HTTP/2 connection. */
export async function sendOn(
  session: ClientHttp2Session,
  target: string,
  { method = "GET", token, headers = {}, body }: Sent = {},
): Promise<HttpResponse & Pick<StreamResponse, "resetCode">> {
  const stream = session.request(
    {
      ":method": method,
      ":path": target,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-length": body.length }),
      ...headers,
    },
    { endStream: body === undefined },
  );
  const response = responseOf(stream);
  if (body !== undefined) stream.end(body);
  const { status, headers: received, bytes, resetCode } = await response;
  return { status, headers: received, bytes, text: bytes.toString(), resetCode };
}
