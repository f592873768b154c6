import type { CallShare } from "./answers/answer-shares.js";
import type { Outcome } from "./outcome.js";

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
