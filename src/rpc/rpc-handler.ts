import type { IncomingMessage, ServerResponse } from "node:http";
import type { DescMethod } from "@bufbuild/protobuf";
import { type ConnectRouter, createConnectRouter, createContextValues } from "@connectrpc/connect";
import type {
  UniversalHandler,
  UniversalServerRequest,
  UniversalServerResponse,
} from "@connectrpc/connect/protocol";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import {
  compressionBrotli,
  compressionGzip,
  universalRequestFromNodeRequest,
} from "@connectrpc/connect-node";
import { ApiError, httpStatusOf } from "../transcoding/api-error.js";
import {
  http2Required,
  internalError,
  malformedRequest,
  methodNotAllowed,
  shuttingDown,
  unknownMethod,
  unsupportedMediaType,
} from "../transcoding/http-errors.js";
import type { Outcome, Protocol } from "../transcoding/plugin.js";
import { sendError } from "../transcoding/reply.js";
import { checkRequestHead } from "../transcoding/request-head.js";
import type { Admission, AnswerFormat, Authorize, ServiceImplementation } from "../transcoding/service.js";
import { connectError } from "./connect-error.js";
import { withEncoded } from "./encoded-response.js";
import { methodImplementation } from "./method-implementation.js";
import { RPC_CALL, type RpcCall } from "./rpc-call.js";
import { writeResponse } from "./write-response.js";

/** Most bytes of one message; what gRPC servers commonly take. */
const LARGEST_MESSAGE = 4 * 1024 * 1024;

/** What an {@link RpcHandler} serves, and how. `A` is what the authorization finds out about a call. */
export interface RpcOptions<A> {
  readonly services: readonly ServiceImplementation<A>[];
  /** `ErrorInfo.domain` of every failure (AIP-193). */
  readonly errorDomain: string;
  readonly authorize: Authorize<A>;
  /** Adds services that anybody may call, such as those of health and reflection; `stopping` ends their streams. */
  readonly open?: (router: ConnectRouter, stopping: AbortSignal) => void;
  /** Makes the id of a request, unique among all processes. */
  readonly newRequestId: () => string;
  /** Called once for each call of one of the services; must not throw. */
  readonly observe?: (outcome: Outcome<A>) => void;
}

/** Serves protobuf services by gRPC, gRPC-Web and Connect, with the handlers and the authorization of HTTP/JSON. */
export class RpcHandler<A> {
  readonly #options: RpcOptions<A>;
  readonly #handlers = new Map<string, UniversalHandler>();
  /** Paths of methods that anybody may call. */
  readonly #open: ReadonlySet<string>;
  readonly #stopping = new AbortController();

  /** @throws Error if a handler is missing. */
  constructor(options: RpcOptions<A>) {
    this.#options = options;
    const router = createConnectRouter({
      acceptCompression: [compressionGzip, compressionBrotli],
      readMaxBytes: LARGEST_MESSAGE,
      jsonOptions: { ignoreUnknownFields: false },
    });
    for (const { service, handlers } of options.services) {
      for (const method of service.methods) {
        const handler = handlers[method.localName];
        if (handler === undefined) throw new Error(`${method} has no handler`);
        router.rpc(
          method as DescMethod & { methodKind: "unary" },
          methodImplementation(method, handler, options.errorDomain),
        );
      }
    }
    const guarded = router.handlers.length;
    options.open?.(router, this.#stopping.signal);
    this.#open = new Set(router.handlers.slice(guarded).map(({ requestPath }) => requestPath));
    for (const handler of router.handlers) this.#handlers.set(handler.requestPath, handler);
  }

  /** Whether a request is a call, well-formed or not. */
  accepts({ url = "", headers }: IncomingMessage): boolean {
    return (
      this.#handlers.has(pathOf(url)) || headers["content-type"]?.startsWith("application/grpc") === true
    );
  }

  /** Answers a request that is a call. */
  handle(request: IncomingMessage, response: ServerResponse): void {
    const id = this.#options.newRequestId();
    response.setHeader("x-request-id", id);
    this.#answer(id, request, response).catch(() => response.destroy());
  }

  /** Refuses new calls, and ends those that would go on for ever. */
  stop(): void {
    this.#stopping.abort();
  }

  async #answer(id: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = performance.now();
    const { url = "", method: httpMethod = "" } = request;
    const path = pathOf(url);
    const handler = this.#handlers.get(path);
    const protocol = protocolOf(request);
    let call: RpcCall<A> | undefined;
    let error: ApiError | undefined;
    let status: number;
    try {
      checkRequestHead(request, url);
      if (handler === undefined) throw unknownMethod(path);
      checkForm(handler, request);
      if (this.#open.has(path)) {
        await writeResponse(
          response,
          await handler(universalRequestFromNodeRequest(request, response, undefined, undefined)),
        );
        return;
      }
      call = this.#callOf(id, handler.method, request);
      const values = createContextValues().set(RPC_CALL, call);
      const universal = universalRequestFromNodeRequest(request, response, undefined, values);
      const answer = await handler(this.#onceAdmitted(universal, call));
      const { encoded } = call;
      const whole = await writeResponse(
        response,
        encoded === undefined ? answer : withEncoded(answer, encoded, protocol !== "connect"),
      );
      error = call.error;
      status = whole ? (error?.httpStatus ?? statusOf(answer)) : 499;
    } catch (cause) {
      if (response.headersSent) throw cause;
      error = asApiError(cause, id);
      status = error.httpStatus;
      this.#refuse(id, request, response, error);
    }
    this.#options.observe?.({
      requestId: id,
      protocol,
      httpMethod,
      target: url,
      status,
      durationMs: performance.now() - started,
      operation: handler?.method.name,
      error,
      auth: call?.auth,
    });
  }

  #callOf(requestId: string, method: DescMethod, request: IncomingMessage): RpcCall<A> {
    const admission = this.#admissionOf(method, request.headers.authorization);
    // Whoever reads the request hears of a refusal; until then it must not count as unhandled.
    admission.catch(() => {});
    const format = formatOf(request);
    return { requestId, format, admission, auth: undefined, error: undefined, encoded: undefined };
  }

  async #admissionOf(method: DescMethod, authorization: string | undefined): Promise<Admission<A>> {
    if (this.#stopping.signal.aborted) throw shuttingDown();
    return this.#options.authorize(method, authorization);
  }

  /** The request with a body that is read once it is known who calls, and fails if that caller may not. */
  #onceAdmitted(request: UniversalServerRequest, call: RpcCall<A>): UniversalServerRequest {
    const body = request.body as AsyncIterable<Uint8Array>;
    const { errorDomain } = this.#options;
    async function* admitted(): AsyncGenerator<Uint8Array> {
      try {
        await call.admission;
      } catch (cause) {
        call.error = asApiError(cause, call.requestId);
        throw connectError(call.error, errorDomain);
      }
      yield* body;
    }
    return { ...request, body: admitted() };
  }

  /** Answers what cannot be handed to Connect: as gRPC if it looks like that, else as JSON. */
  #refuse(id: string, request: IncomingMessage, response: ServerResponse, error: ApiError): void {
    const { errorDomain } = this.#options;
    const contentType = request.headers["content-type"];
    if (protocolOf(request) === "connect" || contentType === undefined) {
      sendError({ id, raw: request }, { raw: response }, error, errorDomain);
      return;
    }
    const header = new Headers({ "content-type": contentType });
    setTrailerStatus(header, connectError(error, errorDomain));
    response.writeHead(200, Object.fromEntries(header)).end();
  }
}

function pathOf(target: string): string {
  const end = target.indexOf("?");
  return end < 0 ? target : target.slice(0, end);
}

function protocolOf({ headers }: IncomingMessage): Protocol {
  const type = headers["content-type"] ?? "";
  if (type.startsWith("application/grpc-web")) return "grpc-web";
  return type.startsWith("application/grpc") ? "grpc" : "connect";
}

function formatOf({ method, url = "", headers }: IncomingMessage): AnswerFormat {
  const json =
    method === "GET" ? /[?&]encoding=json(?:&|$)/.test(url) : /json/i.test(headers["content-type"] ?? "");
  return json ? "json" : "binary";
}

/** @throws ApiError if the request has not the form of a call of the method. */
function checkForm(
  handler: UniversalHandler,
  { method = "", url = "", headers, httpVersionMajor }: IncomingMessage,
): void {
  const {
    allowedMethods,
    supportedContentType,
    method: { methodKind },
  } = handler;
  if (!allowedMethods.includes(method)) throw methodNotAllowed(method, pathOf(url), allowedMethods);
  const contentType = headers["content-type"];
  if (method === "POST" && !supportedContentType(contentType ?? "")) {
    throw unsupportedMediaType(contentType, ACCEPTED_TYPES[methodKind === "unary" ? "unary" : "streaming"]);
  }
  if (methodKind === "bidi_streaming" && httpVersionMajor < 2) throw http2Required();
}

const ACCEPTED_TYPES = {
  unary: "application/json, application/proto, application/grpc or application/grpc-web",
  streaming: "application/connect+json, application/connect+proto, application/grpc or application/grpc-web",
} as const;

/** The HTTP status that stands for what Connect answered without any of our handlers. */
function statusOf({ status, header, trailer }: UniversalServerResponse): number {
  const code = Number(trailer?.get("grpc-status") ?? header?.get("grpc-status") ?? 0);
  return code === 0 ? status : httpStatusOf(code);
}

function asApiError(cause: unknown, requestId: string): ApiError {
  if (cause instanceof ApiError) return cause;
  // The address that a request claims to be for need not be one.
  if (cause instanceof TypeError && "code" in cause && cause.code === "ERR_INVALID_URL") {
    return malformedRequest("its authority is no host", cause);
  }
  return internalError(requestId, cause);
}
