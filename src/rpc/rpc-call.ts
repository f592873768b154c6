import { createContextKey } from "@connectrpc/connect";
import type { ApiError } from "../api/api-error.js";
import type { EncodedBinary, EncodedJson } from "../api/encoded-answer.js";
import type { Admission, AnswerFormat } from "../api/service.js";
import type { CallShare } from "../http/answers/answer-shares.js";

/** State of one call, in addition to Connect's. It travels in the context values of the call. */
export interface RpcCall<A> {
  readonly requestId: string;
  readonly format: AnswerFormat;
  /** Resolves when the caller is authenticated. */
  readonly admission: Promise<Admission<A>>;
  /** Accounts for the memory and the turn of the response. */
  readonly share: CallShare;
  /** True once Connect has read the request and called the handler. */
  begun: boolean;
  /** The result of the authorization, once the call is allowed. */
  auth: A | undefined;
  /** The error that the caller receives if the call fails. */
  error: ApiError | undefined;
  /**
   * The response if it is encoded already; Connect then encodes an empty message, which this one replaces.
   */
  encoded: EncodedBinary | EncodedJson | undefined;
}

/** Key of the {@link RpcCall} in the context values of a call. */
export const RPC_CALL = createContextKey<RpcCall<unknown> | undefined>(undefined);
