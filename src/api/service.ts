import { Readable } from "node:stream";
import type { DescMethod, DescService, MessageShape } from "@bufbuild/protobuf";
import type { WaitAllowance } from "../limits/limit-wait.js";
import { ApiError } from "./api-error.js";
import type { EncodedBinary, EncodedJson } from "./encoded-response.js";
import type { Preconditions } from "./preconditions.js";

export type ResponseFormat = "json" | "binary";

/** Context of a call, in addition to the request message. `A` is the authorization result's type. */
export interface CallContext<A> {
  readonly caller: A;
  /** Resource name, from the request path or, for RPCs, from the request message. */
  readonly resource: ResourceName;
  readonly requestId: string;
  /** Aborts with an `ApiError` if the client disconnects or the deadline passes before the response. */
  readonly signal: AbortSignal;
  /**
   * Waits for a slot for expensive work. Further calls in the same request return immediately.
   *
   * @throws ApiError if too many of the caller's calls are waiting; the abort reason of {@link signal}.
   */
  waitForSlot(): Promise<void>;
  /**
   * Format of the response. A handler returns a plain message, or an {@link EncodedJson} or {@link EncodedBinary} in
   * this format.
   */
  readonly format: ResponseFormat;
  /** Preconditions of the request. Handlers that change resources check them. */
  readonly preconditions: Preconditions;
  /**
   * The decompressed body, for client-streaming methods with a `google.api.HttpBody`. Empty for all other methods.
   */
  readonly body: Readable;
}

/**
 * Checks that a call may proceed, before anything except its method is known. Throws an `ApiError` if not.
 *
 * @param networkOf returns the remote network, which identifies callers before authentication.
 * @param isRepeated true if the same request was authorized before, for another method. Quotas count it only once.
 */
export type Authorize<A> = (
  method: DescMethod,
  authorization: string | undefined,
  networkOf: () => string,
  isRepeated?: boolean,
) => Admission<A> | Promise<Admission<A>>;

/** Checks that a caller may access a resource, before parameters are checked. Throws an `ApiError` if not. */
export type Admission<A> = (resource: ResourceName) => A;

/**
 * Handles calls of one method. The result may already be encoded. This type uses method syntax, because method
 * parameters are bivariant: an implementation of one service is then assignable to an implementation of any service.
 */
export type Handler<M extends DescMethod, A> = {
  handle(
    request: MessageShape<M["input"]>,
    context: CallContext<A>,
  ): Promise<MessageShape<M["output"]> | EncodedJson | EncodedBinary>;
}["handle"];

/** A service with a handler for each method. */
export interface ServiceImplementation<A, S extends DescService = DescService> {
  readonly service: S;
  readonly handlers: { readonly [K in keyof S["method"]]: Handler<S["method"][K], A> };
}

/** A parsed resource name (AIP-122): the ids in `projects/p/apps/a`, by collection. */
export class ResourceName {
  readonly #ids: ReadonlyMap<string, string | ApiError>;

  /** @param ids an id is an error if it is malformed. */
  constructor(ids: Iterable<readonly [collection: string, id: string | ApiError]>) {
    this.#ids = new Map(ids);
  }

  /**
   * Returns the id in a collection, such as `a` in `apps`.
   *
   * @throws Error if the name does not contain the collection. Contract and code then contradict each other. Also throws
   *   the errors of {@link findIn}.
   */
  idIn(collection: string): string {
    const id = this.findIn(collection);
    if (id === undefined) throw new Error(`the method has no ${collection}/* in its path`);
    return id;
  }

  /**
   * Returns the id in a collection, or `undefined` if the name does not contain the collection.
   *
   * @throws ApiError if the id is malformed.
   */
  findIn(collection: string): string | undefined {
    const id = this.#ids.get(collection);
    if (id instanceof ApiError) throw id;
    return id;
  }
}

/** A call's slot ({@link CallContext.waitForSlot}), and the time that it may still wait. */
interface CallSlot {
  waitForSlot(signal: AbortSignal): Promise<void>;
  readonly waits: WaitAllowance;
}

/** Parts of the call context that are known before the handler runs. */
interface CallFacts<A>
  extends Pick<CallContext<A>, "caller" | "resource" | "requestId" | "format" | "preconditions"> {
  readonly share: CallSlot;
}

/** Call context for every protocol. Creates the signal and the body when a handler first uses them. */
export class HandlerContext<A> implements CallContext<A> {
  readonly caller: A;
  readonly resource: ResourceName;
  readonly requestId: string;
  readonly format: CallContext<A>["format"];
  readonly preconditions: Preconditions;
  readonly #share: CallSlot;
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

  waitForSlot(): Promise<void> {
    return this.#share.waitForSlot(this.signal);
  }

  get body(): Readable {
    this.#body ??= Readable.from([]);
    return this.#body;
  }
}
