import { Readable } from "node:stream";
import type { DescMethod, DescService, MessageShape } from "@bufbuild/protobuf";
import type { WaitAllowance } from "../limits/limit-wait.js";
import type { EncodedBinary, EncodedJson } from "./encoded-answer.js";
import type { Preconditions } from "./preconditions.js";

/** Response encoding. */
export type AnswerFormat = "json" | "binary";

/** Call context, in addition to the request message. `A` is the authorization result. */
export interface CallContext<A> {
  readonly caller: A;
  /** Resource name, from the path or, for RPCs, from the message. */
  readonly resource: ResourceName;
  readonly requestId: string;
  /** Aborts with an `ApiError` if the client disconnects or the deadline passes before the response. */
  readonly signal: AbortSignal;
  /**
   * Waits for a slot for expensive work. A call waits only once.
   *
   * @throws ApiError if too many of the caller's calls are waiting; the abort reason of {@link signal}.
   */
  turn(): Promise<void>;
  /**
   * Response format. A handler may return a plain message, or encode it as {@link EncodedJson} or
   * {@link EncodedBinary} to match.
   */
  readonly format: AnswerFormat;
  /** Request preconditions. Handlers that change resources check them. */
  readonly preconditions: Preconditions;
  /**
   * The decompressed body, for client-streaming methods with a `google.api.HttpBody`. Empty for all other methods.
   */
  readonly body: Readable;
}

/**
 * Checks that a call may proceed; throws an `ApiError` if not. Runs first: only the method is known yet.
 *
 * @param authorization the `Authorization` header.
 * @param networkOf returns the remote network, which identifies callers before authentication.
 */
export type Authorize<A> = (
  method: DescMethod,
  authorization: string | undefined,
  networkOf: () => string,
) => Admission<A> | Promise<Admission<A>>;

/**
 * Checks that a caller may access a resource; throws an `ApiError` if not. Runs before parameters are checked.
 */
export type Admission<A> = (resource: ResourceName) => A;

/**
 * Handles calls of one method. The result may be encoded already. Declared with method syntax, because method
 * parameters are bivariant: an implementation of one service is then assignable to one of any service.
 */
export type Handler<M extends DescMethod, A> = {
  handle(
    request: MessageShape<M["input"]>,
    context: CallContext<A>,
  ): Promise<MessageShape<M["output"]> | EncodedJson | EncodedBinary>;
}["handle"];

/** A service with its handlers. */
export interface ServiceImplementation<A, S extends DescService = DescService> {
  readonly service: S;
  readonly handlers: { readonly [K in keyof S["method"]]: Handler<S["method"][K], A> };
}

/** A parsed resource name (AIP-122): the ids in `projects/p/apps/a`, by collection. */
export class ResourceName {
  readonly #ids: ReadonlyMap<string, string>;

  constructor(ids: Iterable<readonly [collection: string, id: string]>) {
    this.#ids = new Map(ids);
  }

  /**
   * Returns the id in a collection, such as `a` in `apps`.
   *
   * @throws Error if the method's path does not contain the collection. Contract and code then contradict each other.
   */
  idIn(collection: string): string {
    const id = this.findIn(collection);
    if (id === undefined) throw new Error(`the method has no ${collection}/* in its path`);
    return id;
  }

  /** Returns the id in a collection; `undefined` if the name does not contain the collection. */
  findIn(collection: string): string | undefined {
    return this.#ids.get(collection);
  }
}

/** A call's slot ({@link CallContext.turn}) and its waiting time. */
interface Turns {
  turn(signal: AbortSignal): Promise<void>;
  readonly waits: WaitAllowance;
}

/** Call context that is known before the handler runs. */
interface CallFacts<A>
  extends Pick<CallContext<A>, "caller" | "resource" | "requestId" | "format" | "preconditions"> {
  readonly share: Turns;
}

/**
 * Call context, for every protocol. It creates the signal and the body only when a handler uses them.
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

  /** @param makeSignal creates a signal that aborts with an `ApiError`. */
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
    this.#signal ??= this.#share.waits.cover(this.#makeSignal());
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
