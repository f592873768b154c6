import type { IncomingMessage, ServerResponse } from "node:http";
import { cors } from "@connectrpc/connect";
import { handOver } from "../../http/answers/hand-over.js";

/** Time for which a browser can cache a preflight response, in seconds. */
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
 * Lets pages of these origins call a service by HTTP/JSON, gRPC-Web and Connect (Fetch standard, CORS protocol).
 * Other pages get no CORS headers. Origins can be added to the set later.
 *
 * @returns a function that adds the CORS headers to a response. It returns true if it has completed the response, for
 *   a preflight.
 */
export function allowOrigins(
  origins: ReadonlySet<string>,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  return ({ method, headers }, response) => {
    const { origin, "access-control-request-method": requestedMethod } = headers;
    // Responses to requests without an origin are private and always revalidated. They need no `Vary`, which would
    // make each request 5% slower.
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
