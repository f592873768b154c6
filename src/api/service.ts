import { Readable } from "node:stream";
import type { DescMethod, DescService, MessageShape } from "@bufbuild/protobuf";
import type { WaitAllowance } from "../limits/limit-wait.js";
import type { EncodedBinary, EncodedJson } from "./encoded-answer.js";
import type { Preconditions } from "./preconditions.js";

/** Encoding of a response on the wire. */
export type AnswerFormat = "json" | "binary";

/** Call context, besides the request message. `A` is the result of {@link Authorize}. */
export interface CallContext<A> {
  readonly caller: A;
  /** The resource name in the path, or for RPCs in the message. */
  readonly resource: ResourceName;
  readonly requestId: string;
  /** Aborts with an `ApiError` if the client disconnects or the deadline passes before the response. */
  readonly signal: AbortSignal;
  /**
   * Waits for the caller's turn at work that takes long or much memory. A call waits only once.
   *
   * @throws ApiError if too many calls of the caller wait; the reason of {@link signal} if that aborts.
   */
  turn(): Promise<void>;
  /**
   * Format of the response. A handler that encodes it returns an {@link EncodedJson} or
   * {@link EncodedBinary}.
   */
  readonly format: AnswerFormat;
  /**
   * Preconditions of the request, if its protocol carries them. Handlers that change resources check them.
   */
  readonly preconditions: Preconditions;
  /**
   * The body as a stream, decompressed, for a client-streaming method whose `body` is a
   * `google.api.HttpBody`. Empty for all other methods.
   */
  readonly body: Readable;
}

/**
 * Decides whether a call may proceed; throws an `ApiError` if not. Runs before any part of the request but
 * its method is examined.
 *
 * @param authorization the `Authorization` header.
 * @param networkOf returns the remote network of the call, which stands for a caller that is not known yet.
 */
export type Authorize<A> = (
  method: DescMethod,
  authorization: string | undefined,
  networkOf: () => string,
) => Admission<A> | Promise<Admission<A>>;

/**
 * Decides whether a caller may access a resource; throws an `ApiError` if not. Runs before parameters are
 * examined.
 */
export type Admission<A> = (resource: ResourceName) => A;

/**
 * Answers one method with a message, which may be encoded already. It is declared with method syntax:
 * parameters of methods are bivariant, which makes the implementation of one service assignable to that of
 * any.
 */
export type Handler<M extends DescMethod, A> = {
  handle(
    request: MessageShape<M["input"]>,
    context: CallContext<A>,
  ): Promise<MessageShape<M["output"]> | EncodedJson | EncodedBinary>;
}["handle"];

/** A service of the contract with its handlers. */
export interface ServiceImplementation<A, S extends DescService = DescService> {
  readonly service: S;
  readonly handlers: { readonly [K in keyof S["method"]]: Handler<S["method"][K], A> };
}

/** The parsed resource name that a call is about (AIP-122): the ids in `projects/p/apps/a`, by collection. */
export class ResourceName {
  readonly #ids: ReadonlyMap<string, string>;

  constructor(ids: Iterable<readonly [collection: string, id: string]>) {
    this.#ids = new Map(ids);
  }

  /**
   * Returns the id in a collection, such as `a` in `apps`.
   *
   * @throws Error if the method has no such collection in its path: contract and code contradict each other.
   */
  idIn(collection: string): string {
    const id = this.#ids.get(collection);
    if (id === undefined) throw new Error(`the method has no ${collection}/* in its path`);
    return id;
  }
}

/** The slot of a call ({@link CallContext.turn}) and all its waits. */
interface Turns {
  turn(signal: AbortSignal): Promise<void>;
  readonly waits: WaitAllowance;
}

/** Facts about a call that are known before its handler runs. */
interface CallFacts<A>
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
