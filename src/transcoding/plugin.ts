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

/** What became of one request. */
export interface Outcome<A> {
  readonly requestId: string;
  /** How the request was made. */
  readonly protocol: Protocol;
  readonly httpMethod: string;
  /** What the request was for, with its query, as the caller wrote it. */
  readonly target: string;
  /** HTTP status that was sent, or would have been for an error of another protocol; 499 if the client had gone. */
  readonly status: number;
  /** From the request's head to the hand-over of the answer to the operating system. */
  readonly durationMs: number;
  /** Name of the method that the request was routed to, or what something else that it found is called. */
  readonly operation: string | undefined;
  /** What the caller was told, if the request failed. */
  readonly error: ApiError | undefined;
  /** What the authorization found, if it let the call pass. */
  readonly auth: A | undefined;
}

/** The protocols by which methods are called. */
export type Protocol = "http" | "grpc" | "grpc-web" | "connect";

/** What {@link registerTranscoding} serves, and how. `A` is what the authorization finds out about a call. */
export interface TranscodingOptions<A> {
  readonly services: readonly ServiceImplementation<A>[];
  /** `ErrorInfo.domain` of every failure (AIP-193). */
  readonly errorDomain: string;
  readonly authorize: Authorize<A>;
  /** Tells principals from each other. */
  readonly principalOf: (auth: A) => string;
  readonly shares: AnswerShares;
  /** What is served besides the methods; nobody is asked who they are. */
  readonly plainRoutes?: readonly PlainRoute[];
  /** Most bytes of a JSON body, unpacked; 1 MiB by default. */
  readonly bodyLimit?: number;
  /** How to undo each `Content-Encoding` of the bodies that methods take; gzip and zstd by default. */
  readonly decoders?: ContentDecoders;
  /** Called once for each request, as soon as its answer was handed over; must not throw. */
  readonly observe?: (outcome: Outcome<A>) => void;
}

/** What is known of a request as it goes on. */
type Call<A> = { -readonly [K in "operation" | "auth"]: Outcome<A>[K] };

/**
 * Serves protobuf services as HTTP/JSON by their `google.api.http` annotations (gRPC Transcoding). The application must
 * have been made with `transcodingServerOptions`. It takes over all requests, also those that lead nowhere. Hooks that
 * add response headers set them on `reply.raw`.
 * @throws Error if an annotation is wrong, a handler is missing, or two methods answer the same requests.
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

  // Bodies are read here, where the method that they are for is known.
  const methods = METHODS.filter((method) => method !== "CONNECT");
  for (const method of methods) app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  const handler = (request: FastifyRequest, reply: FastifyReply): void => {
    // The answer is written to the response directly, which costs a fraction of going through the reply.
    reply.hijack();
    handle(request, reply).catch((cause) => {
      request.log.error({ requestId: request.id, err: cause }, "no answer could be sent");
      reply.raw.destroy();
    });
  };
  app.route({ method: methods, url: "*", exposeHeadRoute: false, handler });
  // By HTTP/2 there are tunnels, too.
  app.setNotFoundHandler(handler);

  app.setErrorHandler<FastifyError>((cause, request, reply) => {
    // By HTTP/2 come methods that Fastify cannot have a route for: only the parser of HTTP/1.1 refuses those.
    if (cause.code === "FST_ERR_NOT_FOUND") return handler(request, reply);
    // What a hook of the application throws.
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
  // The size of all headers is what is limited; beyond a count they would be dropped unseen.
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

/** Lets a connection that could be kept go, so that the server can stop. HTTP/2 has a frame for that, sent by the server. */
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
