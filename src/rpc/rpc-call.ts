import { createContextKey } from "@connectrpc/connect";
import type { ApiError } from "../api/api-error.js";
import type { EncodedBinary, EncodedJson } from "../api/encoded-answer.js";
import type { Admission, AnswerFormat } from "../api/service.js";
import type { CallShare } from "../http/answers/answer-shares.js";

/** What is known of one call beside what Connect knows. It travels in the context values of the call. */
export interface RpcCall<A> {
  readonly requestId: string;
  readonly format: AnswerFormat;
  /** Settled when it is known who calls. */
  readonly admission: Promise<Admission<A>>;
  /** What its answer may take. */
  readonly share: CallShare;
  /** Whether Connect could read the request and has called what answers it. */
  begun: boolean;
  /** What the authorization found, once it let the call pass. */
  auth: A | undefined;
  /** What the caller is told, if the call failed. */
  error: ApiError | undefined;
  /** The answer, if it was encoded before; Connect then sends an empty message in its place. */
  encoded: EncodedBinary | EncodedJson | undefined;
}

/** Where the context values of a call have its {@link RpcCall}. */
export const RPC_CALL = createContextKey<RpcCall<unknown> | undefined>(undefined);
