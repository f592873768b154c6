import { type ConnectError, type ContextValues, createContextKey } from "@connectrpc/connect";
import type { EncodedBinary, EncodedJson } from "../api/encoded-response.js";
import { asApiError } from "../api/errors.js";
import type { Admission, ResponseFormat } from "../api/service.js";
import type { RequestRecord } from "../http/request-record.js";
import type { Release } from "../limits/budget.js";
import { connectError } from "./errors/connect-error.js";
import { translateReadError } from "./errors/rpc-errors.js";

/** Properties of a call that are known before its message is read. */
export interface RpcCallFacts<A> {
  readonly record: RequestRecord<A>;
  /** Format of request and response. */
  readonly format: ResponseFormat;
  /** Resolves when the caller is authenticated, with a function that checks access. */
  readonly admission: Promise<Admission<A>>;
  /** `ErrorInfo.domain` of errors (AIP-193). */
  readonly errorDomain: string;
}

/** State of a call in addition to the state that Connect has. It is stored in the call's context values. */
export class RpcCall<A> {
  readonly record: RequestRecord<A>;
  readonly format: ResponseFormat;
  readonly admission: Promise<Admission<A>>;
  /** True once Connect has called the handler. In a unary call, the request was then read completely. */
  begun = false;
  /** The response, if it is already encoded. It then replaces the empty message that Connect has encoded. */
  encoded: EncodedBinary | EncodedJson | undefined;
  /** Ends the counting of {@link encoded}. May be called repeatedly. */
  release: Release | undefined;
  readonly #errorDomain: string;

  constructor({ record, format, admission, errorDomain }: RpcCallFacts<A>) {
    this.record = record;
    this.format = format;
    this.admission = admission;
    this.#errorDomain = errorDomain;
  }

  /**
   * Records a call's error. Only the first error counts, because later errors are its consequences.
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

/**
 * Returns the call that belongs to context values.
 *
 * @throws Error if the context values were not created by an `RpcHandler`.
 */
export function callOf<A>(values: ContextValues): RpcCall<A> {
  const call = values.get(RPC_CALL);
  if (call === undefined) throw new Error("the call was not created by an RpcHandler");
  return call as RpcCall<A>;
}
