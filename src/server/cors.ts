import type { FastifyInstance } from "fastify";

/** How long a browser may remember the answer to a preflight, in seconds. */
const MAX_AGE = 600;

/** Lets pages of the listed origins call the service (Fetch standard, CORS protocol). Others get no such header. */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const allowed = new Set(origins);
  app.addHook("onRequest", (request, reply, done) => {
    const { origin, "access-control-request-method": requestedMethod } = request.headers;
    reply.raw.setHeader("vary", "origin");
    if (origin === undefined || !allowed.has(origin)) return done();
    reply.raw.setHeader("access-control-allow-origin", origin);
    reply.raw.setHeader("access-control-expose-headers", "etag, retry-after, www-authenticate, x-request-id");
    if (request.method !== "OPTIONS" || requestedMethod === undefined) return done();
    reply.hijack();
    reply.raw
      .writeHead(204, {
        "access-control-allow-methods": "GET, HEAD, POST",
        "access-control-allow-headers": "authorization, content-type, content-encoding, if-none-match",
        "access-control-max-age": String(MAX_AGE),
      })
      .end();
  });
}
