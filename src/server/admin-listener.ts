import Fastify from "fastify";
import type { Registry } from "prom-client";
import { errorJson } from "../transcoding/error-json.js";
import { methodNotAllowed, routeNotFound } from "../transcoding/http-errors.js";
import { Connections } from "./connections.js";
import { Listener } from "./listener.js";

/** What operators can ask of a running server. */
export interface AdminParts {
  readonly metrics: Registry;
  /** Rejects with the reason while the server cannot serve. */
  readonly ready: () => Promise<void>;
}

const ERROR_DOMAIN = "admin.waybill";
const ROUTES = new Set(["/healthz", "/readyz", "/metrics"]);

/** The listener for operators: is the process alive, can it serve, what does it measure. */
export function adminListener({ metrics, ready }: AdminParts): Listener {
  const app = Fastify({ forceCloseConnections: true });
  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/readyz", async (_request, reply) => {
    try {
      await ready();
      return { status: "ready" };
    } catch (error) {
      reply.code(503);
      return { status: "not ready", reason: error instanceof Error ? error.message : String(error) };
    }
  });
  app.get("/metrics", async (_request, reply) => {
    reply.type(metrics.contentType);
    return metrics.metrics();
  });
  app.setNotFoundHandler(({ method, url }, reply) => {
    const path = url.split("?", 1)[0] ?? "";
    const error = ROUTES.has(path) ? methodNotAllowed(method, path, ["GET", "HEAD"]) : routeNotFound(path);
    reply.code(error.httpStatus).headers(error.headers).type("application/json; charset=utf-8");
    return reply.send(errorJson(error, ERROR_DOMAIN));
  });
  const connections = [new Connections(app.server)];
  return new Listener({ app, scheme: "http", connections: () => connections });
}
