import { createServer, type RequestListener } from "node:http";
import { create } from "@bufbuild/protobuf";
import type { Registry } from "prom-client";
import { EncodedJson } from "../../api/encoded-answer.js";
import type { PlainAnswer, PlainRoute } from "../../api/plain-route.js";
import { HttpBodySchema } from "../../gen/google/api/httpbody_pb.js";
import { AnswerShares } from "../../http/answers/answer-shares.js";
import { answerSpecialCases, SERVER_OPTIONS } from "../../http/http-server.js";
import { findHeadError, headOf, splitRequestTarget } from "../../http/request-head.js";
import { requestIds } from "../../http/request-ids.js";
import { JsonHandler } from "../../transcoding/json-handler.js";
import { Connections } from "../listen/connections.js";
import { Listener } from "../listen/listener.js";
import type { Mirrors } from "../messaging-data/mirrors.js";
import { type AdminAccess, adminGuard } from "./admin-access.js";
import { BACKUP_PATH, type BackupParts, backupRoute } from "./backup-route.js";
import { type ClockParts, clockRoutes } from "./clock-routes.js";
import { ANSWERS_PATH, answersRoute } from "./mirror/answers-route.js";
import { MIRROR_PATH, mirrorRoute } from "./mirror/mirror-route.js";

export interface AdminParts {
  readonly access: AdminAccess;
  readonly metrics: Registry;
  /** Rejects with the reason while the server cannot serve. */
  readonly ready: () => Promise<void>;
  /** Missing if this process has no store to back up. */
  readonly backup?: BackupParts | undefined;
  /** Missing if the clock cannot be turned. */
  readonly clock?: ClockParts | undefined;
  /** Missing if this process has no store to mirror into. */
  readonly mirrors?: Mirrors | undefined;
}

const ERROR_DOMAIN = "admin.waybill";

/** Makes the admin listener, with liveness, readiness, metrics, backups, the clock and mirrors. */
export function adminListener({ access, metrics, ready, backup, clock, mirrors }: AdminParts): Listener {
  const get = (path: string, answer: () => Promise<PlainAnswer>): PlainRoute => ({
    httpMethod: "GET",
    path,
    answer,
  });
  const nobody = (): never => {
    throw new Error("operators call no methods");
  };
  const findRefusal = adminGuard(access);
  const handler = new JsonHandler<never>({
    services: [],
    findRefusal,
    errorDomain: ERROR_DOMAIN,
    authorize: nobody,
    principalOf: nobody,
    // Separate from the services' shares, which slow readers may exhaust.
    shares: new AnswerShares(),
    newRequestId: requestIds(),
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
      ...clockRoutes(clock),
    ],
  });
  const sendBackup = backup && backupRoute(backup, ERROR_DOMAIN);
  const mirror = mirrors && mirrorRoute(mirrors, ERROR_DOMAIN);
  const answers = mirrors && answersRoute(mirrors, ERROR_DOMAIN);
  const handle: RequestListener = (request, response) => {
    const head = headOf(request);
    // The handler reports what is wrong.
    if (findHeadError(head) !== undefined || findRefusal(head) !== undefined) {
      handler.handle(request, response);
      return;
    }
    const { path } = splitRequestTarget(head.target);
    if (path === BACKUP_PATH && sendBackup !== undefined) sendBackup(request, response);
    else if (path === MIRROR_PATH && mirror !== undefined) mirror(request, response);
    else if (path === ANSWERS_PATH && answers !== undefined) answers(request, response);
    else handler.handle(request, response);
  };
  const server = createServer(SERVER_OPTIONS, handle);
  answerSpecialCases(server, handle, ERROR_DOMAIN);
  const connections = new Connections(server);
  return new Listener({
    server,
    connections,
    scheme: "http",
    stop: () => {
      handler.stop();
      // Requests in progress of operators must not delay the end of the server.
      connections.cut();
    },
    release: () => handler.close(),
  });
}

const json = (value: object): PlainAnswer => ({
  body: new EncodedJson(Buffer.from(JSON.stringify(value))),
});
