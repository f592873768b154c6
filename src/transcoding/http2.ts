import type { ServerResponse } from "node:http";
import { constants, type Http2ServerRequest } from "node:http2";

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
 * Ends the stream of a request of which nothing more is wanted (RFC 9113 §8.1), once its response is out.
 *
 * @param hasBody whether the response, which has been ended, has a body.
 */
export function leaveUnread({ stream }: Http2ServerRequest, hasBody: boolean): void {
  const close = (): void => stream.close(constants.NGHTTP2_NO_ERROR);
  // Node asks for the trailers behind each body; they have been sent in the turn after that.
  if (hasBody) stream.once("wantTrailers", () => setImmediate(close));
  else close();
}
