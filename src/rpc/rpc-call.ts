import { type ConnectError, type ContextValues, createContextKey } from "@connectrpc/connect";
import type { EncodedBinary, EncodedJson } from "../api/encoded-answer.js";
import { asApiError } from "../api/errors.js";
import type { Admission, AnswerFormat } from "../api/service.js";
import type { RequestRecord } from "../http/request-record.js";
import type { Release } from "../limits/budget.js";
import { connectError } from "./errors/connect-error.js";
import { translateReadError } from "./errors/rpc-errors.js";

/** Call properties that are known before the message is read. */
export interface RpcCallFacts<A> {
  readonly record: RequestRecord<A>;
  /** Request and response format. */
  readonly format: AnswerFormat;
  /** Resolves when the caller is authenticated. */
  readonly admission: Promise<Admission<A>>;
  /** `ErrorInfo.domain` of errors (AIP-193). */
  readonly errorDomain: string;
}

/** State of one call, in addition to Connect's. It is passed in the call's context values. */
export class RpcCall<A> {
  readonly record: RequestRecord<A>;
  readonly format: AnswerFormat;
  readonly admission: Promise<Admission<A>>;
  /** True once Connect has called the handler. For a unary call, the request has been read by then. */
  begun = false;
  /** The response, if it is already encoded. It replaces the empty message that Connect then encodes. */
  encoded: EncodedBinary | EncodedJson | undefined;
  /** Ends the accounting of {@link encoded}; may be called repeatedly. */
  release: Release | undefined;
  readonly #errorDomain: string;

  constructor({ record, format, admission, errorDomain }: RpcCallFacts<A>) {
    this.record = record;
    this.format = format;
    this.admission = admission;
    this.#errorDomain = errorDomain;
  }

  /**
   * Records the call's error. Only the first one counts, because later ones are its consequences.
   *
   * @returns the recorded error, for gRPC, gRPC-Web or Connect.
   */
  fail(cause: unknown): ConnectError {
    this.record.error ??= asApiError(translateReadError(cause), this.record.requestId);
    return connectError(this.record.error, this.#errorDomain);
  }
}

/** Key of the {@link RpcCall} in a call's context values. */
export const RPC_CALL = createContextKey<RpcCall<unknown> | undefined>(undefined);

/** Returns the call in the context values. @throws Error if an `RpcHandler` did not create it. */
export function callOf<A>(values: ContextValues): RpcCall<A> {
  const call = values.get(RPC_CALL);
  if (call === undefined) throw new Error("the call was not created by an RpcHandler");
  return call as RpcCall<A>;
}
