import type { IncomingMessage, ServerResponse } from "node:http";
import type { UniversalServerResponse } from "@connectrpc/connect/protocol";
import { discardBody, isUnread } from "../../http/bodies/request-body.js";
import { isGone } from "../../http/peer.js";
import { handOver, handOverPart, leave } from "../../http/responses/hand-over.js";
import type { CallShare } from "../../http/responses/response-shares.js";
import type { Release } from "../../limits/budget.js";

/** Counts a response's memory. */
export interface ResponseShare {
  readonly share: CallShare;
  /** Releases the first chunk, if that chunk is already counted. If it is never written, the caller releases it. */
  readonly held: Release | undefined;
}

/**
 * Writes a Connect handler's response as fast as the client reads it. Disconnects a client that has too many unread
 * bytes.
 *
 * @returns true if the client has received the whole response.
 */
export async function writeResponse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, header, body, trailer }: UniversalServerResponse,
  { share, held }: ResponseShare,
): Promise<boolean> {
  const chunks = body?.[Symbol.asyncIterator]();
  try {
    // The handler may set headers until it produces its first bytes.
    let next = await chunks?.next();
    let counted = held;
    response.writeHead(status, Object.fromEntries(header ?? []));
    while (next !== undefined && !next.done) {
      if (isGone(response)) return false;
      const release = counted ?? share.hold(next.value);
      counted = undefined;
      if (release === undefined) {
        leave(response);
        return false;
      }
      await handOverPart(response, next.value, { release, stallMs: share.stallMs });
      next = await chunks?.next();
    }
    // The trailers are complete only after the body has ended.
    if (trailer !== undefined) response.addTrailers(Object.fromEntries(trailer));
    // The exchange ends only when the client has sent its whole request.
    if (isUnread(request)) await new Promise<void>((done) => discardBody(request, done));
    handOver(response, undefined, share);
    return !isGone(response);
  } finally {
    // Stops the body's source.
    await chunks?.return?.().catch(() => {});
  }
}
