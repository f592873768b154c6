import type { Interceptor } from "@connectrpc/connect";
import { connectError } from "./errors/connect-error.js";
import { rpcError } from "./errors/rpc-error.js";
import { RPC_CALL, type RpcCall } from "./rpc-call.js";

/**
 * Notes in each call that Connect could read its request, and what is wrong with later messages of a stream. Connect calls
 * a message that cannot be decoded a fault of the server's (`INTERNAL`); it is the caller's.
 *
 * @param errorDomain as of every failure (AIP-193).
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
  call: RpcCall<unknown>,
  errorDomain: string,
): AsyncGenerator<M> {
  try {
    yield* messages;
  } catch (cause) {
    call.error ??= rpcError(cause, call.requestId);
    throw connectError(call.error, errorDomain);
  }
}
