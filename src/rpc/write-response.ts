import type { IncomingMessage, ServerResponse } from "node:http";
import type { UniversalServerResponse } from "@connectrpc/connect/protocol";
import type { CallShare } from "../http/answers/answer-shares.js";
import { handOver, handOverPart, leave } from "../http/answers/hand-over.js";
import { discardBody, isUnread } from "../http/bodies/request-body.js";
import { isGone } from "../http/http2.js";
import type { Release } from "../limits/budget.js";

/** What a response may take of what callers share. */
export interface ResponseShare {
  readonly share: CallShare;
  /** Counts the first chunk, if that was counted before. */
  readonly held: Release | undefined;
}

/**
 * Writes the response of a Connect handler, as fast as the client takes it. A client that leaves too much untaken is left.
 *
 * @returns whether the client got all of it.
 */
export async function writeResponse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, header, body, trailer }: UniversalServerResponse,
  { share, held }: ResponseShare,
): Promise<boolean> {
  const chunks = body?.[Symbol.asyncIterator]();
  try {
    // The implementation may set headers until its first bytes are there.
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
    // Reading the body to its end has set the trailers.
    if (trailer !== undefined) response.addTrailers(Object.fromEntries(trailer));
    // The exchange ends when the client has sent its part.
    if (isUnread(request)) await new Promise<void>((done) => discardBody(request, done));
    handOver(response, undefined, share);
    return !isGone(response);
  } finally {
    held?.();
    // Whoever makes the body hears that nobody reads on.
    await chunks?.return?.().catch(() => {});
  }
}
