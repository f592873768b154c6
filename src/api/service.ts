import type { Readable } from "node:stream";
import type { DescMethod, DescService, MessageShape } from "@bufbuild/protobuf";
import type { EncodedBinary, EncodedJson } from "./encoded-answer.js";
import type { Preconditions } from "./preconditions.js";

/** How an answer is encoded on the wire. */
export type AnswerFormat = "json" | "binary";

/** What a handler knows of the call besides the request message. `A` is what {@link Authorize} found out. */
export interface CallContext<A> {
  readonly auth: A;
  readonly requestId: string;
  /** Aborts, by an `ApiError`, when the client has gone, or the deadline of the call has passed, before the answer. */
  readonly signal: AbortSignal;
  /**
   * Waits until it is the caller's turn to have something made that takes long or much memory. A call that has had to wait
   * once need not again.
   *
   * @throws ApiError if too many calls of the caller wait; the reason of {@link signal} if that aborts.
   */
  turn(): Promise<void>;
  /** How the answer is sent: a handler that encodes by itself returns an {@link EncodedJson} or {@link EncodedBinary}. */
  readonly format: AnswerFormat;
  /** What the request says of the state of what it is for, where its protocol can. Handlers of changes hold to it. */
  readonly preconditions: Preconditions;
  /**
   * The body as it streams in, its `Content-Encoding` undone, for a client-streaming method whose `body` is a
   * `google.api.HttpBody`. Empty for all others.
   */
  readonly body: Readable;
}

/**
 * Decides whether a call may go on; throws an `ApiError` if not. Runs before anything of the request but its method is
 * looked at.
 *
 * @param authorization the `Authorization` header.
 */
export type Authorize<A> = (
  method: DescMethod,
  authorization: string | undefined,
) => Admission<A> | Promise<Admission<A>>;

/**
 * Decides whether a caller may have what it asks for; throws an `ApiError` if not. Runs before parameters are looked at.
 *
 * @param captures raw text of each path variable, still percent-encoded, by field path (`parent`).
 */
export type Admission<A> = (captures: ReadonlyMap<string, string>) => A;

/**
 * Answers one method, with a message or with one that was encoded before. It is declared as a method is, whose
 * parameters are bivariant, so that an implementation of one service is an implementation of any.
 */
export type Handler<M extends DescMethod, A> = {
  handle(
    request: MessageShape<M["input"]>,
    context: CallContext<A>,
  ): Promise<MessageShape<M["output"]> | EncodedJson | EncodedBinary>;
}["handle"];

/** A service of the contract together with the code that answers it. */
export interface ServiceImplementation<A, S extends DescService = DescService> {
  readonly service: S;
  readonly handlers: { readonly [K in keyof S["method"]]: Handler<S["method"][K], A> };
}
