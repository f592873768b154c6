import type { ServerResponse } from "node:http";
import type { Http2ServerRequest } from "node:http2";

/** Returns true if a request came by HTTP/2, in Node's compatibility interface. */
export function isHttp2(request: object): request is Http2ServerRequest {
  return "stream" in request;
}

/** Returns true if the client of a response has disconnected. On HTTP/2, only the stream knows. */
export function isGone(response: ServerResponse): boolean {
  return (
    response.destroyed || ("stream" in response && (response.stream as { destroyed: boolean }).destroyed)
  );
}
