import { METHODS } from "node:http";
import { createRegistry } from "@bufbuild/protobuf";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ApiError } from "../api/api-error.js";
import { asApiError } from "../api/as-api-error.js";
import type { Answer } from "../api/encoded-answer.js";
import { methodNotAllowed, routeNotFound, shuttingDown } from "../api/http-errors.js";
import { type PlainAnswer, type PlainRoute, PlainRoutes } from "../api/plain-route.js";
import type { Authorize, ServiceImplementation } from "../api/service.js";
import { type AnswerShares, CallShare } from "../http/answers/answer-shares.js";
import { sendAnswer, sendError } from "../http/answers/reply.js";
import {
  type ContentDecoders,
  DEFAULT_DECODERS,
  NO_UNPACKING,
  readBody,
} from "../http/bodies/request-body.js";
import { answerConnection } from "../http/connection-error.js";
import { isGone } from "../http/http2.js";
import { isOverriddenGet, readQueryForm } from "../http/method-override.js";
import { authorizationOf, findHeadFault, headOf, splitRequestTarget } from "../http/request-head.js";
import { MAX_JSON_BYTES } from "../limits/limits.js";
import { Endpoint } from "./endpoint.js";
import { httpBindings } from "./http-rule.js";
import { AnswerShaper } from "./partial/answer-shaper.js";
import { Router } from "./router.js";

/** The outcome of one request, for logs and metrics. */
export interface Outcome<A> {
  readonly requestId: string;
  /** Protocol of the request. */
  readonly protocol: Protocol;
  readonly httpMethod: string;
  /** Request target with its query, as the caller wrote it. */
  readonly target: string;
  /**
   * HTTP status of the response, or the one that stands for an error of another protocol; 499 if the client
   * disconnected.
   */
  readonly status: number;
  /**
   * Time from the head of the request to the handover of the response to the operating system, in
   * milliseconds.
   */
  readonly durationMs: number;
  /** Name of the called method or of the plain route; `undefined` if there is no route. */
  readonly operation: string | undefined;
  /** The error that the caller received, if the request failed. */
  readonly error: ApiError | undefined;
  /** The result of the authorization, if it allowed the call. */
  readonly auth: A | undefined;
}

/** The protocols that methods can be called by. */
export type Protocol = "http" | "grpc" | "grpc-web" | "connect";

/** Options of {@link registerTranscoding}. `A` is the result of the authorization of a call. */
export interface TranscodingOptions<A> {
  readonly services: readonly ServiceImplementation<A>[];
  /** `ErrorInfo.domain` of every error (AIP-193). */
  readonly errorDomain: string;
  readonly authorize: Authorize<A>;
  /** Identifies the principal of a call. */
  readonly principalOf: (auth: A) => string;
  readonly shares: AnswerShares;
  /** Routes in addition to the methods; they need no authorization. */
  readonly plainRoutes?: readonly PlainRoute[];
  /** Largest JSON body after decompression, in bytes; 1 MiB by default. */
  readonly bodyLimit?: number;
  /** Decoders of the `Content-Encoding` of request bodies; gzip and zstd by default. */
  readonly decoders?: ContentDecoders;
  /** Called once for each request, right after the handover of its response. It must not throw. */
  readonly observe?: (outcome: Outcome<A>) => void;
}

/** Facts about a request that become known while it is handled. */
type Call<A> = { -readonly [K in "operation" | "auth"]: Outcome<A>[K] };

/**
 * Serves protobuf services as HTTP/JSON by their `google.api.http` annotations (gRPC Transcoding). The
 * application must have been created with `transcodingServerOptions`. It handles all requests, including
 * those without a route. Hooks that add response headers must set them on `reply.raw`.
 *
 * @throws Error if an annotation is invalid, a handler is missing, or two methods answer the same requests.
 */
export function registerTranscoding<A>(app: FastifyInstance, options: TranscodingOptions<A>): void {
  const { errorDomain, authorize, principalOf, shares, observe } = options;
  const shaper = new AnswerShaper();
  const router = buildRouter(options, shaper);
  const plainRoutes = new PlainRoutes(options.plainRoutes ?? []);
  const { bodyLimit = MAX_JSON_BYTES } = options;
  let closing = false;

  async function answerTo(
    request: FastifyRequest,
    reply: FastifyReply,
    call: Call<A>,
    share: CallShare,
  ): Promise<Answer | PlainAnswer> {
    const head = headOf(request.raw, request.originalUrl);
    const fault = findHeadFault(head);
    if (fault !== undefined) throw fault;
    if (closing) throw shuttingDown();
    const { path, query } = splitRequestTarget(request.originalUrl);
    const isQueryInBody = isOverriddenGet(request.raw);
    const httpMethod = isQueryInBody ? "GET" : request.method;
    const match = router.match(httpMethod, path);
    if (match === undefined) {
      const plainRoute = plainRoutes.match(httpMethod, path);
      if (plainRoute === undefined) throw unroutable([router, plainRoutes], httpMethod, path);
      call.operation = plainRoute.operation ?? plainRoute.path;
      return plainRoute.answer({
        request,
        query,
        body: (limit) => readBody(request.raw, NO_UNPACKING, limit),
      });
    }
    const { value: endpoint, captures } = match;
    call.operation = endpoint.method.name;
    const authorizing = authorize(endpoint.method, authorizationOf(head));
    const admit = authorizing instanceof Promise ? await authorizing : authorizing;
    const auth = admit(captures);
    call.auth = auth;
    share.principal = principalOf(auth);
    const parameters = isQueryInBody ? await readQueryForm(request.raw, query, bodyLimit) : query;
    return endpoint.answer(request, reply, captures, parameters, auth, share);
  }

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const started = performance.now();
    const call: Call<A> = { operation: undefined, auth: undefined };
    const share = new CallShare(shares, () => request.raw.socket.remoteAddress);
    const exchange = { request, reply, share };
    let error: ApiError | undefined;
    let status: number;
    try {
      const answer = await answerTo(request, reply, call, share);
      if (closing) closeAfter(reply);
      status = await sendAnswer(exchange, "body" in answer ? answer : { body: answer });
    } catch (cause) {
      error = asApiError(cause, request.id);
      if (closing) closeAfter(reply);
      status = sendError(exchange, error, errorDomain);
    } finally {
      share.end();
    }
    if (observe === undefined) return;
    if (isGone(reply.raw)) status = 499;
    observe({
      requestId: request.id,
      protocol: "http",
      httpMethod: request.method,
      target: request.originalUrl,
      status,
      durationMs: performance.now() - started,
      error,
      ...call,
    });
  }

  // Endpoints read the bodies, because they know the method; Fastify must not.
  const methods = METHODS.filter((method) => method !== "CONNECT");
  for (const method of methods) app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  const handler = (request: FastifyRequest, reply: FastifyReply): void => {
    // Writing the response directly costs a fraction of what Fastify's reply does.
    reply.hijack();
    handle(request, reply).catch((cause) => {
      request.log.error({ requestId: request.id, err: cause }, "no answer could be sent");
      reply.raw.destroy();
    });
  };
  app.route({ method: methods, url: "*", exposeHeadRoute: false, handler });
  // HTTP/2 also delivers CONNECT requests.
  app.setNotFoundHandler(handler);

  app.setErrorHandler<FastifyError>((cause, request, reply) => {
    // HTTP/2 delivers methods that Fastify cannot route; the HTTP/1.1 parser refuses them.
    if (cause.code === "FST_ERR_NOT_FOUND") return handler(request, reply);
    // A hook of the application threw the error.
    reply.hijack();
    request.log.error({ requestId: request.id, err: cause }, "a hook failed");
    const share = new CallShare(shares, () => request.raw.socket.remoteAddress);
    sendError({ request, reply, share }, asApiError(cause, request.id), errorDomain);
  });
  app.addHook("preClose", (done) => {
    closing = true;
    done();
  });
  app.addHook("onClose", () => shaper.close());
  // The limit is on the size of all headers. A limit on their number would drop the excess silently.
  app.server.maxHeadersCount = 0;
  app.server.on("checkExpectation", app.routing);
  app.server.on("connect", (request, socket) => {
    const fault = findHeadFault(headOf(request));
    answerConnection(socket, fault ?? routeNotFound(request.url ?? ""), errorDomain);
  });
}

function buildRouter<A>(options: TranscodingOptions<A>, shaper: AnswerShaper): Router<Endpoint<A>> {
  const { services, bodyLimit = MAX_JSON_BYTES, decoders = DEFAULT_DECODERS } = options;
  const registry = createRegistry(...services.map(({ service }) => service.file));
  const router = new Router<Endpoint<A>>();
  for (const { service, handlers } of services) {
    for (const method of service.methods) {
      const handler = handlers[method.localName];
      for (const binding of httpBindings(method)) {
        if (handler === undefined) throw new Error(`${method} has no handler`);
        const endpoint = new Endpoint(method, binding, handler, { bodyLimit, decoders, registry, shaper });
        router.add(binding.httpMethod, binding.template, endpoint);
      }
    }
  }
  return router;
}

/**
 * Closes a keep-alive connection after the response, to let the server stop. On HTTP/2 the server sends a
 * frame for that.
 */
function closeAfter({ raw }: FastifyReply): void {
  if (!raw.headersSent && raw.req.httpVersionMajor < 2) raw.setHeader("connection", "close");
}

function unroutable(
  routers: readonly { methodsOf(path: string): readonly string[] }[],
  method: string,
  path: string,
): ApiError {
  const allowed = routers.flatMap((router) => router.methodsOf(path));
  return allowed.length === 0 ? routeNotFound(path) : methodNotAllowed(method, path, allowed);
}
