import { Readable } from "node:stream";
import type { Preconditions } from "./preconditions.js";
import type { ResourceName } from "./resource-name.js";
import type { CallContext } from "./service.js";

/** Gives a call its turn ({@link CallContext.turn}). */
export interface Turns {
  turn(signal: AbortSignal): Promise<void>;
}

/** Facts about a call that are known before its handler runs. */
export interface CallFacts<A>
  extends Pick<CallContext<A>, "caller" | "resource" | "requestId" | "format" | "preconditions"> {
  readonly share: Turns;
}

/**
 * The context of one call, for every protocol. It creates the signal and the body only when a handler asks
 * for them.
 */
export class HandlerContext<A> implements CallContext<A> {
  readonly caller: A;
  readonly resource: ResourceName;
  readonly requestId: string;
  readonly format: CallContext<A>["format"];
  readonly preconditions: Preconditions;
  readonly #share: Turns;
  readonly #makeSignal: () => AbortSignal;
  #signal: AbortSignal | undefined;
  #body: Readable | undefined;

  /** @param makeSignal creates a signal whose reason is an `ApiError`. */
  constructor(
    { caller, resource, requestId, format, preconditions, share }: CallFacts<A>,
    makeSignal: () => AbortSignal,
    body?: Readable,
  ) {
    this.caller = caller;
    this.resource = resource;
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
