import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { UniversalServerResponse } from "@connectrpc/connect/protocol";
import { isGone } from "../transcoding/http2.js";
import { discardBody, isUnread } from "../transcoding/request-body.js";

/**
 * Writes the response of a Connect handler, as fast as the client takes it.
 *
 * @returns whether the client got all of it.
 */
export async function writeResponse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, header, body, trailer }: UniversalServerResponse,
): Promise<boolean> {
  const chunks = body?.[Symbol.asyncIterator]();
  try {
    // The implementation may set headers until its first bytes are there.
    let next = await chunks?.next();
    response.writeHead(status, Object.fromEntries(header ?? []));
    while (next !== undefined && !next.done) {
      if (isGone(response)) return false;
      if (!response.write(next.value)) await writable(response);
      next = await chunks?.next();
    }
    // Reading the body to its end has set the trailers.
    if (trailer !== undefined) response.addTrailers(Object.fromEntries(trailer));
    // The exchange ends when the client has sent its part.
    if (isUnread(request)) await new Promise<void>((done) => discardBody(request, done));
    response.end();
    return !isGone(response);
  } finally {
    // Whoever makes the body hears that nobody reads on.
    await chunks?.return?.().catch(() => {});
  }
}

async function writable(response: ServerResponse): Promise<void> {
  const done = new AbortController();
  const { signal } = done;
  const happened = (event: string) => once(response, event, { signal }).catch(() => {});
  await Promise.race([happened("drain"), happened("close")]);
  done.abort();
}
