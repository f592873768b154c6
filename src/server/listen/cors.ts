import type { IncomingMessage, ServerResponse } from "node:http";
import { cors } from "@connectrpc/connect";
import { handOver } from "../../http/answers/hand-over.js";

/** How long a browser may remember the answer to a preflight, in seconds. */
const MAX_AGE = 600;

const ALLOWED_METHODS = "GET, HEAD, PATCH, POST";
const ALLOWED_HEADERS = [
  "authorization",
  "content-encoding",
  "if-match",
  "if-none-match",
  ...cors.allowedHeaders.map((name) => name.toLowerCase()),
].join(", ");
const EXPOSED_HEADERS = [
  "etag",
  "retry-after",
  "www-authenticate",
  "x-request-id",
  ...cors.exposedHeaders.map((name) => name.toLowerCase()),
].join(", ");

/**
 * Lets pages of the given origins, which may become more, call a service (Fetch standard, CORS protocol), by HTTP/JSON, gRPC-Web and Connect.
 * Others get no such header.
 *
 * @returns a function that adds the headers of one answer, and says whether the request is answered with that.
 */
export function allowOrigins(
  origins: ReadonlySet<string>,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  return ({ method, headers }, response) => {
    const { origin, "access-control-request-method": requestedMethod } = headers;
    // What is answered to requests without an origin may be kept by nobody but who asked, to be asked for each time. So it
    // need not say that it varies, which would cost every one of them a twentieth.
    if (origin === undefined || origins.size === 0) return false;
    response.setHeader("vary", "origin");
    if (!origins.has(origin)) return false;
    response.setHeader("access-control-allow-origin", origin);
    response.setHeader("access-control-expose-headers", EXPOSED_HEADERS);
    if (method !== "OPTIONS" || requestedMethod === undefined) return false;
    response.writeHead(204, {
      "access-control-allow-methods": ALLOWED_METHODS,
      "access-control-allow-headers": ALLOWED_HEADERS,
      "access-control-max-age": String(MAX_AGE),
    });
    handOver(response, undefined);
    return true;
  };
}
