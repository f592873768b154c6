import { createServer } from "node:http";
import { create } from "@bufbuild/protobuf";
import type { Registry } from "prom-client";
import { EncodedJson } from "../../api/encoded-response.js";
import type { PlainResponse, PlainRoute } from "../../api/plain-route.js";
import { HttpBodySchema } from "../../gen/google/api/httpbody_pb.js";
import { respondToSpecialCases, SERVER_OPTIONS } from "../../http/http-server.js";
import { type Outcome, requestIds } from "../../http/request-record.js";
import { ResponseShares } from "../../http/responses/response-shares.js";
import { JsonHandler } from "../../transcoding/json-handler.js";
import { Connections } from "../listen/connections.js";
import { Listener } from "../listen/listener.js";
import { type AdminAccess, adminGuard } from "./admin-access.js";

export interface AdminParts {
  readonly access: AdminAccess;
  readonly metrics: Registry;
  /** Rejects with the reason while the server cannot handle requests. */
  readonly ready: () => Promise<void>;
  /** Additional routes. Routes below a path in {@link adminGuard} need the token. */
  readonly routes?: readonly PlainRoute[];
  /** Called once for each request, right after its response was sent. It must not throw. */
  readonly observe?: (outcome: Outcome<never>) => void;
}

const ERROR_DOMAIN = "admin.waybill";

/** Creates the admin listener. It serves liveness, readiness, metrics and additional routes. */
export function adminListener({ access, metrics, ready, routes = [], observe }: AdminParts): Listener {
  const get = (path: string, respond: () => Promise<PlainResponse>): PlainRoute => ({
    httpMethod: "GET",
    path,
    respond,
  });
  const nobody = (): never => {
    throw new Error("the admin listener serves no methods");
  };
  const handler = new JsonHandler<never>({
    services: [],
    findRejection: adminGuard(access),
    errorDomain: ERROR_DOMAIN,
    authorize: nobody,
    budgetKeyOf: nobody,
    // The admin listener has its own shares, because slow clients may have used up the services' shares.
    shares: new ResponseShares(),
    newRequestId: requestIds(),
    ...(observe && { observe }),
    plainRoutes: [
      get("/healthz", async () => json({ status: "ok" })),
      get("/readyz", async () => {
        try {
          await ready();
          return json({ status: "ready" });
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error);
          return { ...json({ status: "not ready", reason }), status: 503 };
        }
      }),
      get("/metrics", async () => {
        const data = Buffer.from(await metrics.metrics());
        return { body: create(HttpBodySchema, { contentType: metrics.contentType, data }) };
      }),
      ...routes,
    ],
  });
  const server = createServer(SERVER_OPTIONS, (request, response) => handler.handle(request, response));
  respondToSpecialCases(server, (request, response) => handler.handle(request, response), ERROR_DOMAIN);
  const connections = new Connections(server);
  return new Listener({
    server,
    connections,
    scheme: "http",
    stop: () => {
      handler.stop();
      // The server stops without waiting for requests to the admin listener.
      connections.cut();
    },
    release: () => handler.close(),
  });
}

const json = (value: object): PlainResponse => ({
  body: new EncodedJson(Buffer.from(JSON.stringify(value))),
});
