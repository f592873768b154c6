import { ConnectError, type Interceptor } from "@connectrpc/connect";
import { callOf } from "../rpc-call.js";

/**
 * Translates the errors of handlers and of the messages that they read, and notes in each call that Connect
 * has called its handler. Connect reports a message that it cannot decode as an error of the server
 * (`INTERNAL`); it is the caller's.
 *
 * A `ConnectError` of a handler passes unchanged: it is translated already, or made by a service that speaks
 * only gRPC and Connect, such as health.
 */
export const translateErrors: Interceptor = (next) => async (request) => {
  const call = callOf(request.contextValues);
  call.begun = true;
  const fail = (cause: unknown): ConnectError => call.fail(cause);
  const failUnlessKnown = (cause: unknown): ConnectError =>
    cause instanceof ConnectError ? cause : call.fail(cause);
  try {
    const response = await next(
      request.stream ? { ...request, message: translated(request.message, fail) } : request,
    );
    return response.stream
      ? { ...response, message: translated(response.message, failUnlessKnown) }
      : response;
  } catch (cause) {
    throw failUnlessKnown(cause);
  }
};

async function* translated<M>(
  messages: AsyncIterable<M>,
  translate: (cause: unknown) => ConnectError,
): AsyncGenerator<M> {
  try {
    yield* messages;
  } catch (cause) {
    throw translate(cause);
  }
}
