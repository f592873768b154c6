import Fastify, { type FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { StoreUnavailableError } from "../store/store-error.js";
import type { PlainRoute } from "../transcoding/plain-route.js";
import { type Outcome, registerTranscoding } from "../transcoding/plugin.js";
import { transcodingServerOptions } from "../transcoding/server-options.js";
import type { Authorize, ServiceImplementation } from "../transcoding/service.js";
import type { Access } from "./access.js";
import { allowOrigins } from "./cors.js";
import type { Metrics } from "./metrics.js";

/** What a listener serves, and who hears of it. */
export interface ServiceListenerParts {
  /** `integrity` or `messaging-data`: names the service in logs, metrics and errors. */
  readonly name: string;
  readonly implementation: ServiceImplementation<Access>;
  readonly authorize: Authorize<Access>;
  readonly plainRoutes?: readonly PlainRoute[];
  readonly corsOrigins: readonly string[];
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** The listener of one service: its routes and nothing else, with a log line and a measurement for each request. */
export async function serviceListener(parts: ServiceListenerParts): Promise<FastifyInstance> {
  const { name, implementation, authorize, plainRoutes = [], corsOrigins, metrics, logger } = parts;
  const errorDomain = `${name}.waybill`;
  const app = Fastify(transcodingServerOptions(errorDomain));
  allowOrigins(app, corsOrigins);
  registerTranscoding(app, {
    services: [implementation],
    errorDomain,
    authorize,
    plainRoutes,
    observe: (outcome) => {
      observe(name, outcome, metrics, logger);
    },
  });
  await app.ready();
  return app;
}

function observe(service: string, outcome: Outcome<Access>, metrics: Metrics, logger: Logger): void {
  const { requestId, protocol, httpMethod, target, status, durationMs, error, auth } = outcome;
  const operation = outcome.operation ?? "none";
  metrics.requests.observe({ service, operation, status }, durationMs / 1000);
  if (error?.cause instanceof StoreUnavailableError) metrics.storeErrors.inc({ caller: operation });
  const line = {
    requestId,
    service,
    operation,
    protocol,
    method: httpMethod,
    // Without the query: what stands there is not for logs.
    path: pathOf(target),
    status,
    durationMs: Math.round(durationMs * 1000) / 1000,
    principal: auth?.principal.name,
    reason: error?.reason,
  };
  if (status >= 500) logger.error({ ...line, err: error?.cause }, "request");
  else logger.info(line, "request");
}

/** Long paths are cut: a log line is for reading. */
function pathOf(target: string): string {
  const end = target.indexOf("?");
  return target.slice(0, Math.min(end < 0 ? target.length : end, 512));
}
