import { Readable } from "node:stream";
import type { AnswerFormat, CallContext } from "../transcoding/service.js";
import type { RpcCall } from "./rpc-call.js";

/** The context of one call. What few handlers ask for is made when one does. */
export class RpcContext<A> implements CallContext<A> {
  readonly auth: A;
  readonly requestId: string;
  readonly format: AnswerFormat;
  readonly ifMatch = undefined;
  readonly #makeSignal: () => AbortSignal;
  #signal: AbortSignal | undefined;
  #body: Readable | undefined;

  /** @param makeSignal makes a signal whose reason is an `ApiError`. */
  constructor(auth: A, { requestId, format }: RpcCall<A>, makeSignal: () => AbortSignal, body?: Readable) {
    this.auth = auth;
    this.requestId = requestId;
    this.format = format;
    this.#makeSignal = makeSignal;
    this.#body = body;
  }

  get signal(): AbortSignal {
    this.#signal ??= this.#makeSignal();
    return this.#signal;
  }

  get body(): Readable {
    this.#body ??= Readable.from([]);
    return this.#body;
  }
}
