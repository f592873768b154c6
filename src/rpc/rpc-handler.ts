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
import { type Exchange, sendError } from "../http/answers/reply.js";
import type { Outcome } from "../http/outcome.js";
import { authorizationOf, findHeadFault, headOf } from "../http/request-head.js";
import { type RequestFacts, RequestRecord } from "../http/request-record.js";
import { MAX_MESSAGE_BYTES } from "../limits/limits.js";
import { Unhurried } from "../limits/unhurried.js";
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

/** Options of an {@link RpcHandler}. `A` is the result of the authorization of a call. */
export interface RpcOptions<A> {
  readonly services: readonly ServiceImplementation<A>[];
  /** `ErrorInfo.domain` of every error (AIP-193). */
  readonly errorDomain: string;
  readonly authorize: Authorize<A>;
  /** Identifies the principal of a call. */
  readonly principalOf: (auth: A) => string;
  readonly shares: AnswerShares;
  /** Adds services that need no token, such as health and reflection; `stopping` ends their streams. */
  readonly open?: (router: ConnectRouter, stopping: AbortSignal) => void;
  /** Limits the streams of those services. */
  readonly openStreams: OpenStreams;
  /** Creates the id of a request, unique among all processes. */
  readonly newRequestId: () => string;
  /** Called once for each call. It must not throw. */
  readonly observe?: (outcome: Outcome<A>) => void;
}

/** A method with its handlers. */
interface Route<A> {
  readonly handler: UniversalHandler;
  /** `undefined` for methods that need no token. */
  readonly authorized: AuthorizedHandler<A> | undefined;
}

/** Returns true if the calls of a method are streams that need no token. */
const isOpenStream = <A>({ handler, authorized }: Route<A>): boolean =>
  authorized === undefined && handler.method.methodKind !== "unary";

/**
 * Serves protobuf services by gRPC, gRPC-Web and Connect, with the same handlers and authorization as
 * HTTP/JSON.
 */
export class RpcHandler<A> {
  readonly #options: RpcOptions<A>;
  readonly #routes = new Map<string, Route<A>>();
  readonly #stopping = new AbortController();
  /** The refusal of streams beyond the limit, encoded once for all of them. */
  readonly #tooMany: { readonly error: ApiError; readonly metadata: Headers };
  readonly #refusals = new Unhurried();

  /** @throws Error if a handler is missing. */
  constructor(options: RpcOptions<A>) {
    this.#options = options;
    const error = tooManyStreams();
    this.#tooMany = { error, metadata: grpcStatus(connectError(error, options.errorDomain)) };
    // Each open stream adds a listener; `OpenStreams` limits their number.
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

  /** Returns true if a request is an RPC, well-formed or not. */
  accepts({ url = "", headers }: IncomingMessage): boolean {
    return this.#routes.has(pathOf(url)) || protocolOf({ headers }) !== "connect";
  }

  /** Answers an RPC. */
  handle(request: IncomingMessage, response: ServerResponse): void {
    const { method: httpMethod = "", url: target = "" } = request;
    const requestId = this.#options.newRequestId();
    const facts = { requestId, protocol: protocolOf(request), httpMethod, target };
    const record = this.#recordOf(facts, () => request.socket.remoteAddress);
    response.setHeader("x-request-id", requestId);
    response.setHeader("cache-control", "private, no-cache");
    this.#answer({ request, response, record }).catch(() => response.destroy());
  }

  /** Refuses new calls, and ends streams that would go on forever. */
  stop(): void {
    this.#stopping.abort();
  }

  /**
   * Takes an HTTP/2 stream without the cost of a request object. It takes unary gRPC calls in the usual form,
   * and streams without a token beyond the limit: clients that open thousands of those must not delay others.
   *
   * @returns false if the stream must be handled as a request.
   */
  take(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, rawHeaders: readonly string[]): boolean {
    const path = headers[":path"] ?? "";
    const route = this.#routes.get(path);
    if (route === undefined || !isPlainGrpc(headers)) return false;
    const { handler, authorized } = route;
    const isOpen = isOpenStream(route);
    if (!isOpen && (authorized === undefined || handler.method.methodKind !== "unary")) return false;
    if (findHeadFault({ target: path, headers, rawHeaders, version: "2" }) !== undefined) return false;
    if (isOpen || authorized === undefined) return this.#refuseTooMany(stream, path, route);
    this.#answerStream(stream, headers, authorizationOf({ rawHeaders }), route, authorized).catch(() =>
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
    const { method } = route.handler;
    const { errorDomain } = this.#options;
    const record = this.#recordOfStream(stream, headers[":path"] ?? "", route);
    const call = this.#callOf(record, route, "binary", authorization);
    const status = await answerPlainGrpc(stream, headers, call, { method, handler, errorDomain });
    this.#options.observe?.(record.outcome(status));
  }

  /** @returns false if there is room for one more stream. */
  #refuseTooMany(stream: ServerHttp2Stream, target: string, route: Route<A>): boolean {
    const socket = stream.session?.socket;
    if (socket === undefined || this.#options.openStreams.hasRoom(socket)) return false;
    const record = this.#recordOfStream(stream, target, route);
    // Discards the request; the stream ends by itself once all of it is read.
    stream.resume();
    this.#refusals.add(socket.remoteAddress ?? "", () => {
      const { error, metadata } = this.#tooMany;
      record.error = error;
      if (!stream.closed) refusePlainGrpc(stream, record.requestId, metadata);
      this.#options.observe?.(record.outcome(stream.closed ? 499 : error.httpStatus));
    });
    return true;
  }

  async #answer(exchange: Exchange<A>): Promise<void> {
    const { request, response, record } = exchange;
    const path = pathOf(request.url ?? "");
    const route = this.#routes.get(path);
    record.operation = route?.handler.method.name;
    let status: number;
    try {
      const head = headOf(request);
      const fault = findHeadFault(head);
      if (fault !== undefined) throw fault;
      if (route === undefined) throw unknownMethod(path);
      checkForm(route.handler, request);
      const call = this.#callOf(record, route, formatOf(request), authorizationOf(head));
      status = await this.#answerRouted(request, response, call, route);
    } catch (cause) {
      if (response.headersSent) throw cause;
      record.error = rpcError(cause, record.requestId);
      status = record.error.httpStatus;
      this.#refuse(exchange, record.error);
    }
    this.#options.observe?.(record.outcome(status));
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

  #recordOf(facts: RequestFacts, address: () => string | undefined): RequestRecord<A> {
    return new RequestRecord<A>(facts, new CallShare(this.#options.shares, address));
  }

  #recordOfStream(stream: ServerHttp2Stream, target: string, { handler }: Route<A>): RequestRecord<A> {
    const requestId = this.#options.newRequestId();
    const facts = { requestId, protocol: "grpc", httpMethod: "POST", target } as const;
    const record = this.#recordOf(facts, () => stream.session?.socket.remoteAddress);
    record.operation = handler.method.name;
    return record;
  }

  #callOf(
    record: RequestRecord<A>,
    { handler, authorized }: Route<A>,
    format: AnswerFormat,
    authorization: string | undefined,
  ): RpcCall<A> {
    const admission =
      authorized === undefined
        ? Promise.resolve(() => undefined as A)
        : this.#admissionOf(handler.method, authorization);
    // Readers of the request handle a refusal; until then it must not count as an unhandled rejection.
    admission.catch(() => {});
    return { record, format, admission, begun: false, encoded: undefined };
  }

  async #admissionOf(method: DescMethod, authorization: string | undefined): Promise<Admission<A>> {
    if (this.#stopping.signal.aborted) throw shuttingDown();
    return this.#options.authorize(method, authorization);
  }

  /** Refuses a request that cannot be handled further: as gRPC if it looks like gRPC, otherwise as JSON. */
  #refuse(exchange: Exchange<A>, error: ApiError): void {
    const { errorDomain } = this.#options;
    const { request, response, record } = exchange;
    const contentType = request.headers["content-type"];
    if (protocolOf(request) === "connect" || contentType === undefined) {
      sendError(exchange, error, errorDomain);
      return;
    }
    response.setHeader("content-type", contentType);
    for (const [name, value] of grpcStatus(connectError(error, errorDomain))) response.setHeader(name, value);
    // Ends the stream with its headers: only then do clients read them as trailers.
    handOver(response, undefined, record.share);
  }
}
