import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { ApiError } from "../api/api-error.js";
import type { Authorize, ServiceImplementation } from "../api/service.js";
import type { CallShare, ResponseShares } from "./responses/response-shares.js";

export type Protocol = "http" | "grpc" | "grpc-web" | "connect";

/** The outcome of one request, for logs and metrics. `A` is the authorization result. */
export interface Outcome<A> {
  readonly requestId: string;
  readonly protocol: Protocol;
  readonly httpMethod: string;
  /** Request target including the query, as received. */
  readonly target: string;
  /**
   * HTTP status, or its equivalent for an error of another protocol or after the response had started; 499 if the client
   * disconnected.
   */
  readonly status: number;
  /** Time from the request head until the response was passed to the operating system, in milliseconds. */
  readonly durationMs: number;
  /** Name of the method or plain route; `undefined` if no route matched. */
  readonly operation: string | undefined;
  /** Path template of the method or plain route, for HTTP/JSON; `undefined` if no route matched. */
  readonly route: string | undefined;
  /** The error that was sent to the caller, or that ended a response after it had started. */
  readonly error: ApiError | undefined;
  /** The authorization result; `undefined` if the call was rejected. */
  readonly caller: A | undefined;
}

/** Outcome fields that are known from the request head. */
export type RequestFacts = Pick<Outcome<unknown>, "requestId" | "protocol" | "httpMethod" | "target">;

/** A request in progress. Collects the request's {@link Outcome}, and measures time from its own creation. */
export class RequestRecord<A> {
  readonly requestId: string;
  readonly share: CallShare;
  operation: Outcome<A>["operation"];
  route: Outcome<A>["route"];
  error: Outcome<A>["error"];
  caller: Outcome<A>["caller"];
  readonly #facts: RequestFacts;
  readonly #started = performance.now();

  constructor(facts: RequestFacts, share: CallShare) {
    this.requestId = facts.requestId;
    this.share = share;
    this.#facts = facts;
  }

  /** Returns the outcome. @param status HTTP status of the response, or its equivalent. */
  outcome(status: number): Outcome<A> {
    const { operation, route, error, caller } = this;
    const { requestId, protocol, httpMethod, target } = this.#facts;
    const durationMs = performance.now() - this.#started;
    return { requestId, protocol, httpMethod, target, status, durationMs, operation, route, error, caller };
  }
}

/** Creates a function that returns request ids, unique among all processes: a random prefix and a counter. */
export function requestIds(): () => string {
  const prefix = randomBytes(9).toString("base64url");
  let count = 0;
  return () => `${prefix}-${(count++).toString(36)}`;
}

/** Marks everything that is done for a request, for example as part of a trace that continues the one in its headers. */
export interface CallScope {
  inCall<T>(headers: IncomingHttpHeaders, respond: () => Promise<T>): Promise<T>;
  /** Returns a function that does later work of the current request. */
  laterInCall(work: () => void): () => void;
}

/** Options of the handlers of all protocols. `A` is the authorization result. */
export interface HandlerOptions<A> {
  readonly services: readonly ServiceImplementation<A>[];
  /** `ErrorInfo.domain` of all errors that the handlers send (AIP-193). */
  readonly errorDomain: string;
  readonly authorize: Authorize<A>;
  /** Returns a caller's key for quotas and budgets. */
  readonly budgetKeyOf: (caller: A) => string;
  readonly shares: ResponseShares;
  /** Creates a request id, unique among all processes. */
  readonly newRequestId: () => string;
  /** Called once for each request, right after its response was sent. It must not throw. */
  readonly observe?: (outcome: Outcome<A>) => void;
  /** Used for each request, including {@link observe}. If omitted, requests are only handled. */
  readonly scope?: CallScope;
}

/** Marks nothing. */
export const NO_SCOPE: CallScope = { inCall: (_headers, respond) => respond(), laterInCall: (work) => work };
