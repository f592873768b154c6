import type { Caller } from "../../api/caller.js";
import type { PlainRoute } from "../../api/plain-route.js";
import type { Authorize, ServiceImplementation } from "../../api/service.js";
import { ServerReflection } from "../../gen/grpc/reflection/v1/reflection_pb.js";
import { Health } from "../../gen/health/v1/health_pb.js";
import type { ContentDecoders } from "../../http/bodies/request-body.js";
import { respondToSpecialCases, SERVER_OPTIONS } from "../../http/http-server.js";
import { findHeadError, headOf } from "../../http/request-head.js";
import type { HandlerOptions } from "../../http/request-record.js";
import { requestIds } from "../../http/request-record.js";
import type { ResponseShares } from "../../http/responses/response-shares.js";
import { addHealth } from "../../rpc/open/health.js";
import type { OpenStreams } from "../../rpc/open/open-streams.js";
import { addReflection } from "../../rpc/open/reflection.js";
import { RpcHandler } from "../../rpc/rpc-handler.js";
import { inCall, laterInCall } from "../../telemetry/tracing.js";
import { JsonHandler } from "../../transcoding/json-handler.js";
import type { FailureLog } from "../operators/failure-log.js";
import type { ServerLogger } from "../operators/logger.js";
import type { Metrics } from "../operators/metrics.js";
import { requestObserver } from "../operators/request-observer.js";
import type { PortBounds } from "./connections.js";
import { allowOrigins } from "./cors.js";
import { Listener } from "./listener.js";
import { sharedPort } from "./shared-port.js";
import type { TlsMaterial } from "./tls.js";

export interface ServiceListenerParts {
  /** Name of the service in logs, metrics and errors, such as `integrity`. */
  readonly name: string;
  readonly implementation: ServiceImplementation<Caller>;
  readonly authorize: Authorize<Caller>;
  readonly shares: ResponseShares;
  readonly decoders: ContentDecoders;
  readonly plainRoutes?: readonly PlainRoute[];
  /** Origins of the pages that may call the service. */
  readonly corsOrigins: ReadonlySet<string>;
  /** TLS options. Connections are unencrypted if this is `undefined`. */
  readonly tls: TlsMaterial | undefined;
  /** Connection limits that all services share. */
  readonly connectionBounds: PortBounds;
  /** Rejects while the service cannot handle requests. */
  readonly ready: () => Promise<void>;
  /** Limits open streams of clients without a token, across all listeners. */
  readonly openStreams: OpenStreams;
  readonly metrics: Metrics;
  readonly logger: ServerLogger;
  readonly failures: FailureLog;
}

/**
 * Creates a service's listener. It accepts calls over HTTP/JSON, gRPC, gRPC-Web and Connect. Each request is logged and
 * measured.
 */
export function serviceListener(parts: ServiceListenerParts): Listener {
  const {
    name,
    implementation,
    authorize,
    shares,
    decoders,
    plainRoutes = [],
    tls,
    connectionBounds: bounds,
    ready,
    openStreams,
    metrics,
    logger,
    failures,
  } = parts;
  const errorDomain = `${name}.waybill`;
  const { service } = implementation;
  const shared: HandlerOptions<Caller> = {
    services: [implementation],
    errorDomain,
    authorize,
    budgetKeyOf,
    shares,
    newRequestId: requestIds(),
    observe: requestObserver({ name, contract: service }, metrics, logger, failures),
    scope: { inCall, laterInCall },
  };
  const json = new JsonHandler<Caller>({ ...shared, decoders, plainRoutes });
  const rpc = new RpcHandler<Caller>({
    ...shared,
    open: (router, stopping) => {
      addHealth(router, { services: [service.typeName], ready, stopping });
      addReflection(router, [service, Health, ServerReflection], stopping);
    },
    openStreams,
  });
  const handledByCors = allowOrigins(parts.corsOrigins);
  const { server, connections, drain, closeSessions } = sharedPort({
    http: SERVER_OPTIONS,
    tls,
    bounds,
    take: (stream, headers, rawHeaders) => rpc.take(stream, headers, rawHeaders),
    handler: (request, response) => {
      // Only requests from pages have an origin. The heads of other requests are checked later.
      const isOfPage = request.headers.origin !== undefined && findHeadError(headOf(request)) === undefined;
      if (isOfPage && handledByCors(request, response)) return;
      if (rpc.accepts(request)) rpc.handle(request, response);
      else json.handle(request, response);
    },
  });
  respondToSpecialCases(server, (request, response) => json.handle(request, response), errorDomain);
  return new Listener({
    server,
    connections,
    scheme: tls === undefined ? "http" : "https",
    drain,
    stop: () => {
      json.stop();
      rpc.stop();
      closeSessions();
    },
    release: () => json.close(),
  });
}

const budgetKeyOf = ({ budgetKey }: Caller): string => budgetKey;
