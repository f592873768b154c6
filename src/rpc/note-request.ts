import type { Interceptor } from "@connectrpc/connect";
import { connectError } from "./errors/connect-error.js";
import { rpcError } from "./errors/rpc-error.js";
import { RPC_CALL, type RpcCall } from "./rpc-call.js";

/**
 * Records in each call that Connect could read its request, and the errors in later messages of a stream.
 * Connect reports a message that it cannot decode as a fault of the server (`INTERNAL`); it is the caller's.
 *
 * @param errorDomain `ErrorInfo.domain` of every error (AIP-193).
 */
export function noteRequest(errorDomain: string): Interceptor {
  return (next) => (request) => {
    const call = request.contextValues.get(RPC_CALL);
    if (call === undefined) return next(request);
    call.begun = true;
    return next(request.stream ? { ...request, message: told(request.message, call, errorDomain) } : request);
  };
}

async function* told<M>(
  messages: AsyncIterable<M>,
  { record }: RpcCall<unknown>,
  errorDomain: string,
): AsyncGenerator<M> {
  try {
    yield* messages;
  } catch (cause) {
    record.error ??= rpcError(cause, record.requestId);
    throw connectError(record.error, errorDomain);
  }
}
