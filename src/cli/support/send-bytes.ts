import { type Dispatcher, request } from "undici";
import { headersOf } from "../../outgoing/received-response.js";

/** Statuses of responses that never have a body (RFC 9110 §6.4.1). */
const WITHOUT_BODY = new Set([204, 205, 304]);

/** Sends a request with bytes in its body, and does not copy them. Does not follow redirects. */
export async function sendBytes(
  url: string | URL,
  body: Uint8Array,
  { method = "POST", headers: sent, signal }: RequestInit,
): Promise<Response> {
  const { statusCode, headers, ...response } = await request(url, {
    method: method as Dispatcher.HttpMethod,
    headers: Object.fromEntries(new Headers(sent)),
    body,
    signal: signal ?? null,
  });
  const isEmpty = WITHOUT_BODY.has(statusCode);
  if (isEmpty) await response.body.dump();
  // In Node.js, a body may be any asynchronous iterable of bytes. The type only knows browsers.
  const content = isEmpty ? null : (response.body as AsyncIterable<Uint8Array> as unknown as ReadableStream);
  return new Response(content, { status: statusCode, headers: headersOf(headers) });
}
