import { type ConnectError, type ContextValues, createContextKey } from "@connectrpc/connect";
import type { EncodedBinary, EncodedJson } from "../api/encoded-answer.js";
import { asApiError } from "../api/errors.js";
import type { Admission, AnswerFormat } from "../api/service.js";
import type { RequestRecord } from "../http/request-record.js";
import type { Release } from "../limits/budget.js";
import { connectError } from "./errors/connect-error.js";
import { translateReadError } from "./errors/rpc-errors.js";

/** Facts about a call that are known before its message is read. */
export interface RpcCallFacts<A> {
  readonly record: RequestRecord<A>;
  /** Format of the request and of the response. */
  readonly format: AnswerFormat;
  /** Resolves when the caller is authenticated. */
  readonly admission: Promise<Admission<A>>;
  /** `ErrorInfo.domain` of the errors that the caller receives (AIP-193). */
  readonly errorDomain: string;
}

/** State of one call, in addition to Connect's. It travels in the context values of the call. */
export class RpcCall<A> {
  readonly record: RequestRecord<A>;
  readonly format: AnswerFormat;
  readonly admission: Promise<Admission<A>>;
  /** True once Connect has called the handler. For a unary call, it has read the request by then. */
  begun = false;
  /**
   * The response if it is encoded already; Connect then encodes an empty message, which this one replaces.
   */
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
   * Records the error of the call. The first one counts: those after it are its consequences.
   *
   * @returns the recorded error for callers by gRPC, gRPC-Web or Connect.
   */
  fail(cause: unknown): ConnectError {
    this.record.error ??= asApiError(translateReadError(cause), this.record.requestId);
    return connectError(this.record.error, this.#errorDomain);
  }
}

/** Key of the {@link RpcCall} in the context values of a call. */
export const RPC_CALL = createContextKey<RpcCall<unknown> | undefined>(undefined);

/** The call with the given context values. @throws Error if an `RpcHandler` did not make the call. */
export function callOf<A>(values: ContextValues): RpcCall<A> {
  const call = values.get(RPC_CALL);
  if (call === undefined) throw new Error("the call was not made by an RpcHandler");
  return call as RpcCall<A>;
}
