import type { Readable } from "node:stream";
import type { DescMethod, DescService, MessageShape } from "@bufbuild/protobuf";
import type { FastifyRequest } from "fastify";
import type { EncodedJson } from "./encoded-json.js";

/** A request that matched a route, before any of its parameters is decoded or bound. */
export interface MatchedCall {
  readonly method: DescMethod;
  readonly request: FastifyRequest;
  /** Raw text of each path variable, still percent-encoded, by field path (`parent`). */
  readonly captures: ReadonlyMap<string, string>;
}

/** What a handler knows of the call besides the request message. `A` is what {@link Authorize} found out. */
export interface CallContext<A> {
  readonly auth: A;
  readonly requestId: string;
  /** Aborts when the client has gone before the answer. */
  readonly signal: AbortSignal;
  /**
   * The body as it streams in, its `Content-Encoding` undone, for a client-streaming method whose `body` is a
   * `google.api.HttpBody`. Empty for all others.
   */
  readonly body: Readable;
}

/** Decides whether a call may go on; throws an `ApiError` if not. Runs before parameters are looked at. */
export type Authorize<A> = (call: MatchedCall) => A | Promise<A>;

/**
 * Answers one method, with a message or with the ProtoJSON of one that was encoded before. It is declared as a method is,
 * whose parameters are bivariant, so that an implementation of one service is an implementation of any.
 */
export type Handler<M extends DescMethod, A> = {
  handle(
    request: MessageShape<M["input"]>,
    context: CallContext<A>,
  ): Promise<MessageShape<M["output"]> | EncodedJson>;
}["handle"];

/** A service of the contract together with the code that answers it. */
export interface ServiceImplementation<A, S extends DescService = DescService> {
  readonly service: S;
  readonly handlers: { readonly [K in keyof S["method"]]: Handler<S["method"][K], A> };
}
