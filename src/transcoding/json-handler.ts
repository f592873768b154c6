import type { IncomingMessage, ServerResponse } from "node:http";
import { createRegistry } from "@bufbuild/protobuf";
import { LRUCache } from "lru-cache";
import type { ApiError } from "../api/api-error.js";
import type { ResponseEntity } from "../api/encoded-response.js";
import { asApiError, shuttingDown } from "../api/errors.js";
import { type PlainResponse, type PlainRoute, PlainRoutes } from "../api/plain-route.js";
import { checkPreconditions, NO_PRECONDITIONS, preconditionsOf } from "../api/preconditions.js";
import type { ServiceImplementation } from "../api/service.js";
import {
  type ContentDecoders,
  DEFAULT_DECODERS,
  NO_UNPACKING,
  readBody,
} from "../http/bodies/request-body.js";
import { methodNotAllowed, routeNotFound } from "../http/errors.js";
import { isOverriddenGet, readQueryForm } from "../http/method-override.js";
import { isGone, remoteNetwork, responseSignal } from "../http/peer.js";
import {
  authorizationOf,
  findHeadError,
  headOf,
  type RequestHead,
  type RequestTarget,
  splitRequestTarget,
} from "../http/request-head.js";
import { type CallScope, type HandlerOptions, NO_SCOPE, RequestRecord } from "../http/request-record.js";
import { afterResponses } from "../http/responses/hand-over.js";
import { type Exchange, sendError, sendResponse } from "../http/responses/reply.js";
import { CallShare } from "../http/responses/response-shares.js";
import { excerpt } from "../limits/excerpt.js";
import { MAX_JSON_BYTES } from "../limits/request-limits.js";
import type { BoundParameters, BoundPath } from "./binding/parameter-binder.js";
import { bodyLimitOf } from "./body-limit.js";
import { requiredEtag } from "./change-conditions.js";
import { Endpoint, type EndpointOptions } from "./endpoint.js";
import { httpBindings } from "./http-rule.js";
import { ResponseShaper } from "./partial/response-shaper.js";
import { Router } from "./router.js";

/** Options of a {@link JsonHandler}. `A` is the authorization result. */
export interface JsonOptions<A> extends HandlerOptions<A> {
  /** Routes outside the services. They need no authorization. */
  readonly plainRoutes?: readonly PlainRoute[];
  /** Returns a reason to reject a request before it is routed. */
  readonly findRejection?: (head: RequestHead) => ApiError | undefined;
  /** Maximum size of a JSON body after decompression, in bytes; 1 MiB by default. */
  readonly bodyLimit?: number;
  /** Decoders of the `Content-Encoding` of request bodies; gzip and zstd by default. */
  readonly decoders?: ContentDecoders;
}

/** A request target with its endpoint. */
interface RoutedTarget<A> extends RequestTarget {
  readonly httpMethod: string;
  readonly endpoint: Endpoint<A>;
  readonly bound: BoundPath;
  /** Parameters of path and query. Undefined if they were not read yet. */
  readonly parameters?: BoundParameters;
}

/** Maximum number of known targets, and maximum length of each in characters. */
const MAX_KNOWN_TARGETS = 10_000;
const MAX_KNOWN_LENGTH = 512;

/**
 * Serves protobuf services as HTTP/JSON by their `google.api.http` annotations (gRPC Transcoding), and plain routes. It
 * responds to all requests, including those without a route.
 */
export class JsonHandler<A> {
  readonly #options: JsonOptions<A>;
  readonly #scope: CallScope;
  readonly #shaper = new ResponseShaper();
  readonly #router: Router<Endpoint<A>>;
  readonly #plainRoutes: PlainRoutes;
  /** Recent targets of authorized reads, because clients often read the same ones. */
  readonly #known = new LRUCache<string, RoutedTarget<A>>({ max: MAX_KNOWN_TARGETS });
  #stopping = false;

  /**
   * @throws Error if an annotation is invalid, a handler is missing, or two methods or plain routes match the same
   *   requests.
   */
  constructor(options: JsonOptions<A>) {
    const { services, bodyLimit = MAX_JSON_BYTES, decoders = DEFAULT_DECODERS, plainRoutes = [] } = options;
    this.#options = options;
    this.#scope = options.scope ?? NO_SCOPE;
    this.#router = buildRouter(services, { bodyLimit, decoders, shaper: this.#shaper });
    this.#plainRoutes = new PlainRoutes(plainRoutes);
  }

  /** Handles a request. Headers that are already set on the response are sent too. */
  handle(request: IncomingMessage, response: ServerResponse): void {
    const { headers } = request;
    this.#scope.inCall(headers, () => this.#exchange(request, response)).catch(() => response.destroy());
  }

  /** Rejects new requests, and closes connections after their next response. */
  stop(): void {
    this.#stopping = true;
  }

  /** Ends the handler's threads. Call it when no request is in progress. */
  close(): Promise<void> {
    return this.#shaper.close();
  }

  async #exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method: httpMethod = "", url: target = "" } = request;
    const { shares, newRequestId, errorDomain, observe } = this.#options;
    const facts = { requestId: newRequestId(), protocol: "http", httpMethod, target } as const;
    const record = new RequestRecord<A>(facts, new CallShare(shares, () => remoteNetwork(request.socket)));
    const exchange = { request, response, record, preconditions: preconditionsOf(request.headers) };
    let status: number;
    try {
      const result = await this.#respond(exchange);
      if (this.#stopping) closeAfter(response);
      const sending = sendResponse(exchange, "body" in result ? result : { body: result });
      const sent = typeof sending === "number" ? sending : await sending;
      status = isGone(response) ? 499 : sent;
    } catch (cause) {
      const wasGone = isGone(response);
      record.error = asApiError(cause, record.requestId);
      if (this.#stopping) closeAfter(response);
      const sent = sendError(exchange, record.error, errorDomain);
      status = wasGone ? 499 : sent;
    } finally {
      record.share.end();
    }
    if (observe === undefined) return;
    afterResponses(this.#scope.laterInCall(() => observe(record.outcome(status))));
  }

  /**
   * Never responds within the parser's call. If the parser finds an error after the head, that error must be the response.
   */
  async #respond(exchange: Exchange<A>): Promise<ResponseEntity | PlainResponse> {
    const { request, record } = exchange;
    const head = headOf(request);
    const error = findHeadError(head) ?? this.#options.findRejection?.(head);
    if (error !== undefined) throw error;
    if (this.#stopping) throw shuttingDown();
    // Its body contains parameters too.
    const isQueryInBody = isOverriddenGet(request);
    const httpMethod = isQueryInBody ? "GET" : (request.method ?? "");
    const known = isQueryInBody ? undefined : this.#known.get(head.target);
    const target = known?.httpMethod === httpMethod ? known : this.#route(httpMethod, head.target);
    if (target === undefined) return this.#respondPlain(exchange, httpMethod, head.target);
    const { endpoint, bound, path, query } = target;
    record.operation = endpoint.method.name;
    record.route = endpoint.route;
    const { authorize, budgetKeyOf } = this.#options;
    const authorizing = authorize(endpoint.method, authorizationOf(head), record.share.networkOf);
    const admit =
      authorizing instanceof Promise ? await record.share.waits.spendOn(authorizing) : authorizing;
    const caller = admit(bound.resource);
    record.caller = caller;
    record.share.budgetKey = budgetKeyOf(caller);
    const parameters = isQueryInBody
      ? endpoint.bind(bound, await readQueryForm(request, query, endpoint.bodyLimit))
      : this.#parametersOf(target, head.target);
    const required = this.#requiredEtag(exchange, endpoint, path, head);
    return endpoint.respond(exchange, bound.resource, parameters, caller, required);
  }

  /** Returns an authorized request's parameters, which are cached for reads. */
  #parametersOf(target: RoutedTarget<A>, text: string): BoundParameters {
    if (target.parameters !== undefined) return target.parameters;
    const { endpoint, bound, query } = target;
    const parameters = endpoint.bind(bound, query);
    if (!endpoint.isChange && text.length <= MAX_KNOWN_LENGTH)
      this.#known.set(text, { ...target, parameters });
    return parameters;
  }

  /** Finds the endpoint for a target. Its query is not read yet. */
  #route(httpMethod: string, target: string): RoutedTarget<A> | undefined {
    const { path, query } = splitRequestTarget(target);
    const match = this.#router.match(httpMethod, path);
    if (match === undefined) return undefined;
    const { value: endpoint, captures } = match;
    return { httpMethod, path, query, endpoint, bound: endpoint.bindPath(captures) };
  }

  /**
   * Returns a function that checks a change's preconditions (RFC 9110 §13.1), and returns the etag that the change must
   * require. Returns undefined if there are none, or the handler checks them.
   */
  #requiredEtag(
    exchange: Exchange<A>,
    { isChange, isConditionalChange, verb }: Endpoint<A>,
    path: string,
    head: RequestHead,
  ): (() => Promise<string>) | undefined {
    const { preconditions } = exchange;
    if (preconditions === NO_PRECONDITIONS || !isChange) return undefined;
    const resource = verb === undefined ? path : path.slice(0, path.lastIndexOf(":"));
    const match = this.#router.match("GET", resource);
    if (match === undefined) {
      return async () => {
        // A path that GET cannot read has no tags.
        checkPreconditions(preconditions, [], excerpt(resource));
        return "";
      };
    }
    if (!isConditionalChange) return undefined;
    const { value: reader, captures } = match;
    return async () => {
      // The read can need another role than the change.
      const { networkOf } = exchange.record.share;
      const admit = await this.#options.authorize(reader.method, authorizationOf(head), networkOf, true);
      const bound = reader.bindPath(captures);
      const caller = admit(bound.resource);
      return requiredEtag(preconditions, await reader.read(exchange, bound, caller), resource);
    };
  }

  #respondPlain(
    { request, response, record }: Exchange<A>,
    httpMethod: string,
    target: string,
  ): PlainResponse | Promise<PlainResponse> {
    const { path, query } = splitRequestTarget(target);
    const route = this.#plainRoutes.match(httpMethod, path);
    if (route === undefined) throw unroutable([this.#router, this.#plainRoutes], httpMethod, path);
    record.operation = route.operation ?? route.path;
    record.route = route.path;
    return route.respond({
      requestId: record.requestId,
      headers: request.headers,
      authorization: authorizationOf(request),
      query,
      body: (limit) => readBody(request, NO_UNPACKING, limit),
      networkOf: record.share.networkOf,
      waitForSlot: () => {
        record.share.budgetKey ??= record.share.networkOf();
        return record.share.waitForSlot(responseSignal(response));
      },
      get signal() {
        return responseSignal(response);
      },
    });
  }
}

/**
 * Closes a keep-alive connection after the response, so that the server can stop. On HTTP/2, the server sends a GOAWAY
 * frame instead.
 */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent && response.req.httpVersionMajor < 2) response.setHeader("connection", "close");
}

function unroutable(
  routers: readonly { methodsOf(path: string): readonly string[] }[],
  method: string,
  path: string,
): ApiError {
  const allowed = routers.flatMap((router) => router.methodsOf(path));
  return allowed.length === 0 ? routeNotFound(path) : methodNotAllowed(method, path, allowed);
}

/**
 * Builds the router of services by the `google.api.http` annotations of their methods.
 *
 * @throws Error if an annotation is invalid, a handler is missing, or two methods match the same requests.
 */
function buildRouter<A>(
  services: readonly ServiceImplementation<A>[],
  options: Omit<EndpointOptions, "registry">,
): Router<Endpoint<A>> {
  const registry = createRegistry(...services.map(({ service }) => service.file));
  const router = new Router<Endpoint<A>>();
  for (const { service, handlers } of services) {
    for (const method of service.methods) {
      const handler = handlers[method.localName];
      for (const binding of httpBindings(method)) {
        if (handler === undefined) throw new Error(`${method} has no handler`);
        const bodyLimit = bodyLimitOf(method, options.bodyLimit);
        const endpoint = new Endpoint(method, binding, handler, { ...options, bodyLimit, registry });
        router.add(binding.httpMethod, binding.template, endpoint);
      }
    }
  }
  return router;
}
