import { createHash, randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import { createLocalJWKSet, exportJWK, generateKeyPair, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import { destination, pino } from "pino";
import { Counter, Histogram, Registry } from "prom-client";
import { respondToQuestions } from "../support/process.js";

/** Starts the peer. It stores these responses as its data. */
export interface PeerQuestion {
  /** File to which the peer logs each request. */
  readonly log: string;
  /** Principal of the token, who may read all projects in this list. */
  readonly principal: string;
  readonly projects: readonly string[];
  /** Stored data: the response body for each request target. */
  readonly resources: ReadonlyMap<string, object>;
}

export interface StartedPeer {
  readonly url: string;
  /** Access token of the principal. */
  readonly token: string;
}

declare module "fastify" {
  interface FastifyRequest {
    principal: string;
    receivedAt: number;
  }
}

const ISSUER = "https://issuer.example";
const AUDIENCE = "peer";
const SCOPE = "platform";
/** Number of verified tokens, and of pages, that the peer caches. */
const CACHED = 10_000;

interface VerifiedToken {
  readonly principal: string;
  readonly scopes: ReadonlySet<string>;
  readonly expiresAt: number;
}

interface CachedResponse {
  readonly text: string;
  readonly etag: string;
}

/**
 * The same two reads as a service of one's own, with Fastify, `jose`, `pino`, `prom-client` and LRU caches: it verifies
 * tokens, checks access, caches serialized responses, supports conditional requests, and logs and counts each request.
 * It reads its data from memory, while Waybill has a database.
 */
respondToQuestions(async ({ log, principal, projects, resources }: PeerQuestion): Promise<StartedPeer> => {
  const { publicKey, privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519" });
  const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), alg: "EdDSA" }] });
  const verified = new LRUCache<string, VerifiedToken>({ max: CACHED });
  const responses = new LRUCache<string, CachedResponse>({ max: CACHED });
  const access = new Map([[principal, new Set(projects)]]);

  const loggerInstance: FastifyBaseLogger = pino(
    { base: null },
    destination({ dest: log, sync: false, minLength: 4_096 }),
  );
  const service = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
  });
  service.decorateRequest("principal", "");
  service.decorateRequest("receivedAt", 0);
  observe(service);

  service.addHook("onRequest", async (request) => {
    const [, token] = /^Bearer ([\w\-.~+/]+=*)$/i.exec(request.headers.authorization ?? "") ?? [];
    if (token === undefined) throw failure(401, "no access token");
    let caller = verified.get(token);
    if (caller === undefined || Date.now() >= caller.expiresAt) {
      const { payload } = await jwtVerify(token, keys, {
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ["exp", "sub"],
      }).catch(() => {
        throw failure(401, "invalid access token");
      });
      caller = callerOf(payload);
      verified.set(token, caller);
    }
    if (!caller.scopes.has(SCOPE)) throw failure(403, "insufficient scope");
    request.principal = caller.principal;
  });

  const read = (
    request: FastifyRequest<{ Params: { project: string } }>,
    reply: FastifyReply,
  ): FastifyReply => {
    if (access.get(request.principal)?.has(request.params.project) !== true)
      throw failure(403, "no access to the project");
    let cached = responses.get(request.url);
    if (cached === undefined) {
      const resource = resources.get(request.url);
      if (resource === undefined) throw failure(404, "not found");
      const text = JSON.stringify(resource);
      cached = { text, etag: `"${createHash("sha256").update(text).digest("base64url")}"` };
      responses.set(request.url, cached);
    }
    reply.headers({
      "cache-control": "private, no-cache",
      vary: "accept-encoding",
      etag: cached.etag,
      "x-content-type-options": "nosniff",
      "x-request-id": request.id,
    });
    if (request.headers["if-none-match"] === cached.etag) return reply.code(304).send();
    return reply.type("application/json; charset=utf-8").send(cached.text);
  };
  service.get("/v1/projects/:project/apps/:app/appAttestConfig", read);
  service.get("/v1beta1/projects/:project/androidApps/:app/deliveryData", read);

  await service.listen({ port: 0, host: "127.0.0.1" });
  const { port } = service.server.address() as AddressInfo;
  const token = await new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: "EdDSA" })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(principal)
    .setExpirationTime("12h")
    .sign(privateKey);
  return { url: `http://127.0.0.1:${port}`, token };
});

/** Logs and counts each request. */
function observe(service: FastifyInstance): void {
  const registers = [new Registry()];
  const labelNames = ["method", "route", "status"] as const;
  const total = new Counter({ name: "requests_total", help: "Requests", labelNames, registers });
  const seconds = new Histogram({ name: "request_seconds", help: "Durations", labelNames, registers });
  service.addHook("onRequest", async (request) => {
    request.receivedAt = performance.now();
  });
  service.addHook("onResponse", async (request, reply) => {
    const durationMs = performance.now() - request.receivedAt;
    const { method, url: path, principal } = request;
    const labels = { method, route: request.routeOptions.url ?? "", status: reply.statusCode };
    total.inc(labels);
    seconds.observe(labels, durationMs / 1_000);
    request.log.info({ method, path, status: reply.statusCode, durationMs, principal }, "request");
  });
}

const callerOf = ({ sub = "", exp = 0, scope }: JWTPayload): VerifiedToken => ({
  principal: sub,
  scopes: new Set(typeof scope === "string" ? scope.split(" ") : []),
  expiresAt: exp * 1_000,
});

const failure = (statusCode: number, message: string): Error =>
  Object.assign(new Error(message), { statusCode });
