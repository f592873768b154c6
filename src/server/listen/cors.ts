import type { IncomingMessage, ServerResponse } from "node:http";
import { cors } from "@connectrpc/connect";
import { handOver } from "../../http/responses/hand-over.js";

/** Time for which a browser may cache a preflight response, in seconds. */
const MAX_AGE = 600;

const ALLOWED_METHODS = "DELETE, GET, HEAD, PATCH, POST";
const ALLOWED_HEADERS = [
  "authorization",
  "content-encoding",
  "if-match",
  "if-none-match",
  // The App Check SDK for web pages sends it.
  "x-firebase-client",
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
 * Allows pages of some origins to call a service over HTTP/JSON, gRPC-Web and Connect (Fetch standard, CORS protocol).
 * Other pages get no CORS headers. The set of origins may grow later.
 *
 * @returns a function that adds CORS headers to a response. If the request is a preflight, it completes the response
 * and returns true.
 */
export function allowOrigins(
  origins: ReadonlySet<string>,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  return ({ method, headers }, response) => {
    const { origin, "access-control-request-method": requestedMethod } = headers;
    // Without an origin, responses are private and always revalidated. They need no `Vary` header, which would make
    // each request 5% slower.
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
