import { setMaxListeners } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import type { ConnectRouter } from "@connectrpc/connect";
import type { ApiError } from "../api/api-error.js";
import { asApiError } from "../api/errors.js";
import { NO_PRECONDITIONS } from "../api/preconditions.js";
import { isGone, remoteNetwork } from "../http/peer.js";
import { authorizationOf, findHeadError, headOf } from "../http/request-head.js";
import { type CallScope, type HandlerOptions, NO_SCOPE } from "../http/request-record.js";
import { handOver } from "../http/responses/hand-over.js";
import { type Exchange, sendError } from "../http/responses/reply.js";
import { Unhurried } from "../limits/pacing.js";
import type { AuthorizedHandler } from "./authorized-handler.js";
import { checkForm, formatOf, pathOf, protocolOf } from "./call-form.js";
import { CallOpener } from "./call-opener.js";
import { respondByConnect } from "./connect/connect-call.js";
import { connectError, grpcStatus } from "./errors/connect-error.js";
import { translateReadError, unknownMethod } from "./errors/rpc-errors.js";
import { type OpenStreams, tooManyStreams } from "./open/open-streams.js";
import { isPlainGrpc, rejectPlainGrpc, respondToPlainGrpc } from "./plain-grpc.js";
import type { RpcCall } from "./rpc-call.js";
import { buildRoutes, isOpenStream, type RpcRoute } from "./rpc-routes.js";

/** Options of an {@link RpcHandler}. `A` is the authorization result. */
export interface RpcOptions<A> extends HandlerOptions<A> {
  /**
   * Adds services that need no token, such as health and reflection.
   *
   * @param stopping aborts when their streams must end.
   */
  readonly open?: (router: ConnectRouter, stopping: AbortSignal) => void;
  /** Limits the streams of those services. */
  readonly openStreams: OpenStreams;
}

/**
 * Serves protobuf services over gRPC, gRPC-Web and Connect, with the same handlers and authorization as HTTP/JSON.
 */
export class RpcHandler<A> {
  readonly #options: RpcOptions<A>;
  readonly #scope: CallScope;
  readonly #routes: ReadonlyMap<string, RpcRoute<A>>;
  readonly #opener: CallOpener<A>;
  readonly #stopping = new AbortController();
  /** Metadata of the error for streams above the limit. Encoded only once, when it is first needed. */
  #tooManyMetadata: Headers | undefined;
  readonly #rejections = new Unhurried();

  /** @throws Error if a method has no handler. */
  constructor(options: RpcOptions<A>) {
    const { services, budgetKeyOf } = options;
    this.#options = options;
    this.#scope = options.scope ?? NO_SCOPE;
    this.#opener = new CallOpener({ ...options, stopping: this.#stopping.signal });
    // Each open stream adds a listener to the signal. `OpenStreams` limits their number.
    setMaxListeners(0, this.#stopping.signal);
    const open = (router: ConnectRouter): void => options.open?.(router, this.#stopping.signal);
    this.#routes = buildRoutes({ services, budgetKeyOf, open });
  }

  /** Returns true if a request is an RPC, even if malformed. */
  accepts({ url = "", headers }: IncomingMessage): boolean {
    return this.#routes.has(pathOf(url)) || protocolOf({ headers }) !== "connect";
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const record = this.#opener.recordRequest(request);
    response.setHeader("x-request-id", record.requestId);
    response.setHeader("cache-control", "private, no-cache");
    const exchange = { request, response, record, preconditions: NO_PRECONDITIONS };
    this.#scope.inCall(request.headers, () => this.#respond(exchange)).catch(() => response.destroy());
  }

  /** Rejects new calls, and ends streams that would otherwise never end. */
  stop(): void {
    this.#stopping.abort();
  }

  /**
   * Handles an HTTP/2 stream without creating a request object, which is costly. This is possible for binary unary gRPC
   * calls, and for streams without a token above the limit. Clients that open thousands of such streams must not delay
   * others.
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
    if (findHeadError({ target: path, headers, rawHeaders, version: "2" }) !== undefined) return false;
    if (isOpen || authorized === undefined) return this.#rejectTooMany(stream, path, route);
    const authorization = authorizationOf({ rawHeaders });
    this.#scope
      .inCall(headers, () =>
        this.#respondToStream(stream, headers, { path, authorization }, route, authorized),
      )
      .catch(() => stream.destroy());
    return true;
  }

  async #respondToStream(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    { path, authorization }: { readonly path: string; readonly authorization: string | undefined },
    route: RpcRoute<A>,
    handler: AuthorizedHandler<A>,
  ): Promise<void> {
    const { method } = route.handler;
    const record = this.#opener.recordStream(stream, path, route);
    const call = this.#opener.open(record, route, "binary", authorization);
    const { maxMessageBytes } = route;
    const options = { method, handler, maxMessageBytes };
    const hasResponded = await respondToPlainGrpc(stream, headers, call, options);
    this.#options.observe?.(record.outcome(hasResponded ? (record.error?.httpStatus ?? 200) : 499));
  }

  /** Rejects a stream if there are too many. @returns false if the stream may be opened. */
  #rejectTooMany(stream: ServerHttp2Stream, target: string, route: RpcRoute<A>): boolean {
    const socket = stream.session?.socket;
    if (socket === undefined || this.#options.openStreams.hasRoom(socket)) return false;
    const record = this.#opener.recordStream(stream, target, route);
    // Discards the request. The stream ends after it automatically.
    stream.resume();
    this.#rejections.add(remoteNetwork(socket), () => {
      const error = tooManyStreams();
      this.#tooManyMetadata ??= grpcStatus(connectError(error, this.#options.errorDomain));
      const isGone = stream.closed;
      record.error = error;
      if (!isGone) rejectPlainGrpc(stream, record.requestId, this.#tooManyMetadata);
      this.#options.observe?.(record.outcome(isGone ? 499 : error.httpStatus));
    });
    return true;
  }

  async #respond(exchange: Exchange<A>): Promise<void> {
    const { request, response, record } = exchange;
    const path = pathOf(request.url ?? "");
    const route = this.#routes.get(path);
    record.operation = route?.handler.method.name;
    let status: number;
    try {
      const head = headOf(request);
      const error = findHeadError(head);
      if (error !== undefined) throw error;
      if (route === undefined) throw unknownMethod(path);
      checkForm(route.handler, request);
      const call = this.#opener.open(record, route, formatOf(request), authorizationOf(head));
      status = await this.#respondRouted(request, response, call, route);
    } catch (cause) {
      const wasGone = isGone(response);
      record.error = asApiError(translateReadError(cause), record.requestId);
      status = wasGone ? 499 : record.error.httpStatus;
      rejectCall(exchange, record.error, this.#options.errorDomain);
    }
    this.#options.observe?.(record.outcome(status));
  }

  async #respondRouted(
    request: IncomingMessage,
    response: ServerResponse,
    call: RpcCall<A>,
    route: RpcRoute<A>,
  ): Promise<number> {
    const { handler } = route;
    if (!isOpenStream(route)) return respondByConnect(request, response, call, { handler });
    const { openStreams } = this.#options;
    const release = openStreams.open(request.socket);
    try {
      return await respondByConnect(request, response, call, { handler, lifetime: openStreams.lifetime });
    } finally {
      release();
    }
  }
}

/**
 * Rejects a request that no handler accepts. The error has gRPC format if the request looks like gRPC, and JSON
 * otherwise.
 */
function rejectCall<A>(exchange: Exchange<A>, error: ApiError, errorDomain: string): void {
  const { request, response, record } = exchange;
  const contentType = request.headers["content-type"];
  if (response.headersSent || protocolOf(request) === "connect" || contentType === undefined) {
    sendError(exchange, error, errorDomain);
    return;
  }
  response.setHeader("content-type", contentType);
  for (const [name, value] of grpcStatus(connectError(error, errorDomain))) response.setHeader(name, value);
  // Ends the stream together with its headers, because only then do clients read them as trailers.
  handOver(response, undefined, record.share);
}
