import { setTimeout as sleep } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import {
  Health,
  type HealthCheckRequest,
  type HealthCheckResponse,
  HealthCheckResponseSchema,
  HealthListResponseSchema,
  HealthCheckResponse_ServingStatus as Status,
} from "../gen/health/v1/health_pb.js";

/** Milliseconds between two looks at a server that somebody watches. */
const WATCH_PAUSE = 1_000;

/** What the health service tells. */
export interface HealthOptions {
  /** Full names of the services that are served. */
  readonly services: readonly string[];
  /** Rejects while they cannot be served. */
  readonly ready: () => Promise<void>;
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal;
}

/** Adds the standard health service of gRPC (`grpc.health.v1.Health`); the empty name stands for the whole server. */
export function addHealth(router: ConnectRouter, { services, ready, stopping }: HealthOptions): void {
  const known = new Set(["", ...services]);
  let looking: Promise<Status> | undefined;

  /** Anybody may ask, as often as they like: all who do while the answer is looked for get the same. */
  async function statusNow(): Promise<Status> {
    looking ??= ready()
      .then(
        () => Status.SERVING,
        () => Status.NOT_SERVING,
      )
      .finally(() => {
        looking = undefined;
      });
    const status = await looking;
    return stopping.aborted ? Status.NOT_SERVING : status;
  }

  router.service(Health, {
    async check({ service }: HealthCheckRequest): Promise<HealthCheckResponse> {
      if (!known.has(service)) throw new ConnectError("there is no such service here", Code.NotFound);
      return create(HealthCheckResponseSchema, { status: await statusNow() });
    },

    async list() {
      const status = await statusNow();
      const statuses = Object.fromEntries([...known].map((name) => [name, { status }]));
      return create(HealthListResponseSchema, { statuses });
    },

    async *watch({ service }: HealthCheckRequest, { signal }): AsyncGenerator<HealthCheckResponse> {
      const ended = AbortSignal.any([signal, stopping]);
      let told: Status | undefined;
      for (let last = false; !last && !signal.aborted; ) {
        last = stopping.aborted;
        const status = known.has(service) ? await statusNow() : Status.SERVICE_UNKNOWN;
        if (status !== told) yield create(HealthCheckResponseSchema, { status });
        told = status;
        if (!last) await sleep(WATCH_PAUSE, undefined, { signal: ended }).catch(() => {});
      }
    },
  });
}
