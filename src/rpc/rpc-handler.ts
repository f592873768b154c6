import { setMaxListeners } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import type { DescMethod } from "@bufbuild/protobuf";
import { type ConnectRouter, createConnectRouter } from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { compressionBrotli, compressionGzip } from "@connectrpc/connect-node";
import type { ApiError } from "../api/api-error.js";
import { shuttingDown, unknownMethod } from "../api/http-errors.js";
import type { Admission, AnswerFormat, Authorize, ServiceImplementation } from "../api/service.js";
import { type AnswerShares, CallShare } from "../http/answers/answer-shares.js";
import { handOver } from "../http/answers/hand-over.js";
import { sendError } from "../http/answers/reply.js";
import { authorizationOf, findHeadFault, headOf } from "../http/request-head.js";
import { MAX_MESSAGE_BYTES } from "../limits/limits.js";
import { Unhurried } from "../limits/unhurried.js";
import type { Outcome } from "../transcoding/plugin.js";
import { type AuthorizedHandler, authorizedHandler } from "./authorized-handler.js";
import { checkForm, formatOf, pathOf, protocolOf } from "./call-form.js";
import { answerByConnect } from "./connect-call.js";
import { connectError } from "./errors/connect-error.js";
import { grpcStatus } from "./errors/grpc-status.js";
import { rpcError } from "./errors/rpc-error.js";
import { methodImplementation } from "./method-implementation.js";
import { noteRequest } from "./note-request.js";
import { type OpenStreams, tooManyStreams } from "./open/open-streams.js";
import { answerPlainGrpc, isPlainGrpc, refusePlainGrpc } from "./plain-grpc.js";
import type { RpcCall } from "./rpc-call.js";

/** What an {@link RpcHandler} serves, and how. `A` is what the authorization finds out about a call. */
export interface RpcOptions<A> {
  readonly services: readonly ServiceImplementation<A>[];
  /** `ErrorInfo.domain` of every failure (AIP-193). */
  readonly errorDomain: string;
  readonly authorize: Authorize<A>;
  /** Tells principals from each other. */
  readonly principalOf: (auth: A) => string;
  readonly shares: AnswerShares;
  /** Adds services that anybody may call, such as those of health and reflection; `stopping` ends their streams. */
  readonly open?: (router: ConnectRouter, stopping: AbortSignal) => void;
  /** Bounds the streams of those services. */
  readonly openStreams: OpenStreams;
  /** Makes the id of a request, unique among all processes. */
  readonly newRequestId: () => string;
  /** Called once for each call; must not throw. */
  readonly observe?: (outcome: Outcome<A>) => void;
}

/** A method, and what answers it. */
interface Route<A> {
  readonly handler: UniversalHandler;
  /** Not there for methods that anybody may call. */
  readonly authorized: AuthorizedHandler<A> | undefined;
}

/** Whether the calls of a method are streams that anybody may open. */
const isOpenStream = <A>({ handler, authorized }: Route<A>): boolean =>
  authorized === undefined && handler.method.methodKind !== "unary";

/** Serves protobuf services by gRPC, gRPC-Web and Connect, with the handlers and the authorization of HTTP/JSON. */
export class RpcHandler<A> {
  readonly #options: RpcOptions<A>;
  readonly #routes = new Map<string, Route<A>>();
  readonly #stopping = new AbortController();
  /** How one of too many streams is refused; the same for all of them. */
  readonly #tooMany: { readonly error: ApiError; readonly metadata: Headers };
  readonly #refusals = new Unhurried();

  /** @throws Error if a handler is missing. */
  constructor(options: RpcOptions<A>) {
    this.#options = options;
    const error = tooManyStreams();
    this.#tooMany = { error, metadata: grpcStatus(connectError(error, options.errorDomain)) };
    // As many streams listen as may be open.
    setMaxListeners(0, this.#stopping.signal);
    const router = createConnectRouter({
      acceptCompression: [compressionGzip, compressionBrotli],
      readMaxBytes: MAX_MESSAGE_BYTES,
      jsonOptions: { ignoreUnknownFields: false },
      interceptors: [noteRequest(options.errorDomain)],
    });
    const authorized = new Map<DescMethod, AuthorizedHandler<A>>();
    for (const { service, handlers } of options.services) {
      for (const method of service.methods) {
        const handler = handlers[method.localName];
        if (handler === undefined) throw new Error(`${method} has no handler`);
        const implementation = authorizedHandler(method, handler, options.principalOf);
        authorized.set(method, implementation);
        router.rpc(
          method as DescMethod & { methodKind: "unary" },
          methodImplementation(method, implementation, options.errorDomain),
        );
      }
    }
    options.open?.(router, this.#stopping.signal);
    for (const handler of router.handlers) {
      this.#routes.set(handler.requestPath, { handler, authorized: authorized.get(handler.method) });
    }
  }

  /** Whether a request is a call, well-formed or not. */
  accepts({ url = "", headers }: IncomingMessage): boolean {
    return this.#routes.has(pathOf(url)) || protocolOf({ headers }) !== "connect";
  }

  /** Answers a request that is a call. */
  handle(request: IncomingMessage, response: ServerResponse): void {
    const id = this.#options.newRequestId();
    response.setHeader("x-request-id", id);
    response.setHeader("cache-control", "private, no-cache");
    this.#answer(id, request, response).catch(() => response.destroy());
  }

  /** Refuses new calls, and ends those that would go on for ever. */
  stop(): void {
    this.#stopping.abort();
  }

  /**
   * Takes a stream of HTTP/2 without the cost of making a request of it, if it is a call in gRPC's usual form that is unary, or
   * one of too many streams without a token: those who open them by the thousand must not hold up others.
   *
   * @returns false if it is to be handled as a request.
   */
  take(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, rawHeaders: readonly string[]): boolean {
    const path = headers[":path"] ?? "";
    const route = this.#routes.get(path);
    if (route === undefined || !isPlainGrpc(headers)) return false;
    if (findHeadFault({ target: path, headers, rawHeaders, version: "2" }) !== undefined) return false;
    if (isOpenStream(route)) return this.#refuseTooMany(stream, path, route);
    if (route.authorized === undefined || route.handler.method.methodKind !== "unary") return false;
    this.#answerStream(stream, headers, authorizationOf({ rawHeaders }), route, route.authorized).catch(() =>
      stream.destroy(),
    );
    return true;
  }

  async #answerStream(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    authorization: string | undefined,
    route: Route<A>,
    handler: AuthorizedHandler<A>,
  ): Promise<void> {
    const started = performance.now();
    const { method } = route.handler;
    const requestId = this.#options.newRequestId();
    const { errorDomain, shares } = this.#options;
    const share = new CallShare(shares, () => stream.session?.socket.remoteAddress);
    const call = this.#callOf(requestId, route, "binary", authorization, share);
    const status = await answerPlainGrpc(stream, headers, call, { method, handler, errorDomain });
    this.#observe(
      { requestId, protocol: "grpc", httpMethod: "POST", target: headers[":path"] ?? "", status },
      started,
      route,
      call,
    );
  }

  /** @returns false if one more stream may be open. */
  #refuseTooMany(stream: ServerHttp2Stream, target: string, route: Route<A>): boolean {
    const socket = stream.session?.socket;
    if (socket === undefined || this.#options.openStreams.hasRoom(socket)) return false;
    const started = performance.now();
    // What comes of the request is not wanted; once it is read, the stream ends by itself.
    stream.resume();
    this.#refusals.add(() => {
      const requestId = this.#options.newRequestId();
      const { error, metadata } = this.#tooMany;
      const status = stream.closed ? 499 : error.httpStatus;
      if (!stream.closed) refusePlainGrpc(stream, requestId, metadata);
      const exchange = { requestId, protocol: "grpc", httpMethod: "POST", target, status } as const;
      this.#observe(exchange, started, route, undefined, error);
    });
    return true;
  }

  async #answer(requestId: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = performance.now();
    const { url = "", method: httpMethod = "" } = request;
    const route = this.#routes.get(pathOf(url));
    const share = new CallShare(this.#options.shares, () => request.socket.remoteAddress);
    let call: RpcCall<A> | undefined;
    let status: number;
    let refusal: ApiError | undefined;
    try {
      const head = headOf(request, url);
      const fault = findHeadFault(head);
      if (fault !== undefined) throw fault;
      if (route === undefined) throw unknownMethod(pathOf(url));
      checkForm(route.handler, request);
      call = this.#callOf(requestId, route, formatOf(request), authorizationOf(head), share);
      status = await this.#answerRouted(request, response, call, route);
    } catch (cause) {
      if (response.headersSent) throw cause;
      refusal = rpcError(cause, requestId);
      status = refusal.httpStatus;
      this.#refuse(requestId, request, response, refusal, share);
    }
    const exchange = { requestId, protocol: protocolOf(request), httpMethod, target: url, status };
    this.#observe(exchange, started, route, call, refusal);
  }

  async #answerRouted(
    request: IncomingMessage,
    response: ServerResponse,
    call: RpcCall<A>,
    { handler, authorized }: Route<A>,
  ): Promise<number> {
    const { errorDomain, openStreams } = this.#options;
    if (!isOpenStream({ handler, authorized })) {
      return answerByConnect(request, response, call, { handler, errorDomain });
    }
    const release = openStreams.open(request.socket);
    const { lifetime } = openStreams;
    try {
      return await answerByConnect(request, response, call, { handler, errorDomain, lifetime });
    } finally {
      release();
    }
  }

  #observe(
    exchange: Pick<Outcome<A>, "requestId" | "protocol" | "httpMethod" | "target" | "status">,
    started: number,
    route: Route<A> | undefined,
    call: RpcCall<A> | undefined,
    refusal?: ApiError,
  ): void {
    this.#options.observe?.({
      ...exchange,
      durationMs: performance.now() - started,
      operation: route?.handler.method.name,
      error: refusal ?? call?.error,
      auth: call?.auth,
    });
  }

  #callOf(
    requestId: string,
    { handler, authorized }: Route<A>,
    format: AnswerFormat,
    authorization: string | undefined,
    share: CallShare,
  ): RpcCall<A> {
    const admission =
      authorized === undefined
        ? Promise.resolve(() => undefined as A)
        : this.#admissionOf(handler.method, authorization);
    // Whoever reads the request hears of a refusal; until then it must not count as unhandled.
    admission.catch(() => {});
    return {
      requestId,
      format,
      admission,
      share,
      begun: false,
      auth: undefined,
      error: undefined,
      encoded: undefined,
    };
  }

  async #admissionOf(method: DescMethod, authorization: string | undefined): Promise<Admission<A>> {
    if (this.#stopping.signal.aborted) throw shuttingDown();
    return this.#options.authorize(method, authorization);
  }

  /** Answers what cannot be handed on: as gRPC if it looks like that, else as JSON. */
  #refuse(
    id: string,
    request: IncomingMessage,
    response: ServerResponse,
    error: ApiError,
    share: CallShare,
  ): void {
    const { errorDomain } = this.#options;
    const contentType = request.headers["content-type"];
    if (protocolOf(request) === "connect" || contentType === undefined) {
      sendError({ request: { id, raw: request }, reply: { raw: response }, share }, error, errorDomain);
      return;
    }
    response.setHeader("content-type", contentType);
    for (const [name, value] of grpcStatus(connectError(error, errorDomain))) response.setHeader(name, value);
    // With the end of the stream on the headers, without which they would be no trailers.
    handOver(response, undefined, share);
  }
}
