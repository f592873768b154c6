import { createContextKey } from "@connectrpc/connect";
import type { EncodedBinary, EncodedJson } from "../api/encoded-answer.js";
import type { Admission, AnswerFormat } from "../api/service.js";
import type { RequestRecord } from "../http/request-record.js";

/** State of one call, in addition to Connect's. It travels in the context values of the call. */
export interface RpcCall<A> {
  readonly record: RequestRecord<A>;
  readonly format: AnswerFormat;
  /** Resolves when the caller is authenticated. */
  readonly admission: Promise<Admission<A>>;
  /** True once Connect has read the request and called the handler. */
  begun: boolean;
  /**
   * The response if it is encoded already; Connect then encodes an empty message, which this one replaces.
   */
  encoded: EncodedBinary | EncodedJson | undefined;
}

/** Key of the {@link RpcCall} in the context values of a call. */
export const RPC_CALL = createContextKey<RpcCall<unknown> | undefined>(undefined);
