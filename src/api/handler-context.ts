import { Readable } from "node:stream";
import type { CallShare } from "../http/answers/answer-shares.js";
import type { Preconditions } from "./preconditions.js";
import type { CallContext } from "./service.js";

/** What is known of a call before its handler asks for anything. */
export interface CallFacts<A>
  extends Pick<CallContext<A>, "auth" | "requestId" | "format" | "preconditions"> {
  /** What its answer may take. */
  readonly share: Pick<CallShare, "turn">;
}

/** The context of one call, by whatever protocol. What few handlers ask for is made when one does. */
export class HandlerContext<A> implements CallContext<A> {
  readonly auth: A;
  readonly requestId: string;
  readonly format: CallContext<A>["format"];
  readonly preconditions: Preconditions;
  readonly #share: Pick<CallShare, "turn">;
  readonly #makeSignal: () => AbortSignal;
  #signal: AbortSignal | undefined;
  #body: Readable | undefined;

  /** @param makeSignal makes a signal whose reason is an `ApiError`. */
  constructor(
    { auth, requestId, format, preconditions, share }: CallFacts<A>,
    makeSignal: () => AbortSignal,
    body?: Readable,
  ) {
    this.auth = auth;
    this.requestId = requestId;
    this.format = format;
    this.preconditions = preconditions;
    this.#share = share;
    this.#makeSignal = makeSignal;
    this.#body = body;
  }

  get signal(): AbortSignal {
    this.#signal ??= this.#makeSignal();
    return this.#signal;
  }

  turn(): Promise<void> {
    return this.#share.turn(this.signal);
  }

  get body(): Readable {
    this.#body ??= Readable.from([]);
    return this.#body;
  }
}
