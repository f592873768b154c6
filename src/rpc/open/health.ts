import { create } from "@bufbuild/protobuf";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import {
  Health,
  type HealthCheckRequest,
  type HealthCheckResponse,
  HealthCheckResponseSchema,
  HealthListResponseSchema,
  HealthCheckResponse_ServingStatus as Status,
} from "../../gen/health/v1/health_pb.js";
import { MAX_OPEN_MESSAGE_BYTES } from "../../limits/request-limits.js";
import { ServingStatus } from "./serving-status.js";

export interface HealthOptions {
  /** Full names of the available services. */
  readonly services: readonly string[];
  /** Rejects while the services cannot handle calls. */
  readonly ready: () => Promise<void>;
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal;
}

/**
 * Adds the standard gRPC health service (`grpc.health.v1.Health`). The empty service name represents the whole server.
 */
export function addHealth(router: ConnectRouter, { services, ready, stopping }: HealthOptions): void {
  const known = new Set(["", ...services]);
  const serving = new ServingStatus(ready, stopping);

  async function check({ service }: HealthCheckRequest): Promise<HealthCheckResponse> {
    if (!known.has(service))
      throw new ConnectError("unknown service; list the services with server reflection", Code.NotFound);
    return create(HealthCheckResponseSchema, { status: await serving.now() });
  }

  async function list() {
    const status = await serving.now();
    const statuses = Object.fromEntries([...known].map((name) => [name, { status }]));
    return create(HealthListResponseSchema, { statuses });
  }

  async function* watch(
    { service }: HealthCheckRequest,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<HealthCheckResponse> {
    let sent: Status | undefined;
    for await (const latest of serving.watch(signal)) {
      const status = known.has(service) ? latest : Status.SERVICE_UNKNOWN;
      if (status !== sent) yield create(HealthCheckResponseSchema, { status });
      sent = status;
    }
  }

  router.service(Health, { check, list, watch }, { readMaxBytes: MAX_OPEN_MESSAGE_BYTES });
}
