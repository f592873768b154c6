import { randomBytes } from "node:crypto";
import type { ApiError } from "../api/api-error.js";
import type { Authorize, ServiceImplementation } from "../api/service.js";
import type { AnswerShares, CallShare } from "./answers/answer-shares.js";

/** The protocols that methods can be called by. */
export type Protocol = "http" | "grpc" | "grpc-web" | "connect";

/** The outcome of one request, for logs and metrics. `A` is the result of the authorization of a call. */
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
  readonly caller: A | undefined;
}

/** Facts about a request that are known from its head. */
export type RequestFacts = Pick<Outcome<unknown>, "requestId" | "protocol" | "httpMethod" | "target">;

/** A request in progress: what is known of it so far, for its {@link Outcome}. Time runs from its creation. */
export class RequestRecord<A> {
  readonly requestId: string;
  /** Accounts for the memory and the turn of the response. */
  readonly share: CallShare;
  operation: Outcome<A>["operation"];
  error: Outcome<A>["error"];
  caller: Outcome<A>["caller"];
  readonly #facts: RequestFacts;
  readonly #started = performance.now();

  constructor(facts: RequestFacts, share: CallShare) {
    this.requestId = facts.requestId;
    this.share = share;
    this.#facts = facts;
  }

  /** @param status HTTP status that stands for the response. */
  outcome(status: number): Outcome<A> {
    const { operation, error, caller } = this;
    const { requestId, protocol, httpMethod, target } = this.#facts;
    const durationMs = performance.now() - this.#started;
    return { requestId, protocol, httpMethod, target, status, durationMs, operation, error, caller };
  }
}

/** Creates a generator of request ids that are unique among all processes: a random prefix with a counter. */
export function requestIds(): () => string {
  const prefix = randomBytes(9).toString("base64url");
  let count = 0;
  return () => `${prefix}-${(count++).toString(36)}`;
}

/** Options of handlers of all protocols. `A` is the result of the authorization of a call. */
export interface HandlerOptions<A> {
  readonly services: readonly ServiceImplementation<A>[];
  /** `ErrorInfo.domain` of every error (AIP-193). */
  readonly errorDomain: string;
  readonly authorize: Authorize<A>;
  /** Returns the key by which quotas and budgets of a caller are kept. */
  readonly budgetKeyOf: (caller: A) => string;
  readonly shares: AnswerShares;
  /** Creates the id of a request, unique among all processes. */
  readonly newRequestId: () => string;
  /** Called once for each request, right after the handover of its response. It must not throw. */
  readonly observe?: (outcome: Outcome<A>) => void;
}
