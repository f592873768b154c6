import type { Readable } from "node:stream";
import type { DescMethod, DescService, MessageShape } from "@bufbuild/protobuf";
import type { EncodedBinary, EncodedJson } from "./encoded-answer.js";
import type { Preconditions } from "./preconditions.js";
import type { ResourceName } from "./resource-name.js";

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
