import type { ServerResponse } from "node:http";
import { constants, type Http2ServerRequest } from "node:http2";
import { MAX_ANSWERED_STREAM_MS } from "../limits/limits.js";

/** Whether a request came by HTTP/2, in Node's compatibility interface. */
export function isHttp2(request: object): request is Http2ServerRequest {
  return "stream" in request;
}

/** Whether nobody is there any more to take a response. By HTTP/2, only its stream knows. */
export function isGone(response: ServerResponse): boolean {
  return (
    response.destroyed || ("stream" in response && (response.stream as { destroyed: boolean }).destroyed)
  );
}

/**
 * Leaves what has not arrived of a request that has been answered. A client that soon comes to its end is let, as a reset
 * of the stream might overtake the answer; one that goes on is told that nothing more is wanted (RFC 9113 §8.1).
 */
export function leaveUnread(request: Http2ServerRequest): void {
  const { stream } = request;
  if (stream.closed) return;
  request.resume();
  const timer = setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), MAX_ANSWERED_STREAM_MS);
  stream.once("close", () => clearTimeout(timer));
}
