import { Readable } from "node:stream";
import {
  create,
  type DescMethod,
  type DescMethodStreaming,
  type DescMethodUnary,
  type JsonWriteOptions,
  type Message,
  toBinary,
  toJsonString,
} from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { ConnectError, type HandlerContext, type Interceptor, type MethodImpl } from "@connectrpc/connect";
import { ApiError } from "../../api/api-error.js";
import { EncodedBinary, EncodedJson } from "../../api/encoded-response.js";
import type { ResponseFormat } from "../../api/service.js";
import { type HttpBody, HttpBodySchema } from "../../gen/google/api/httpbody_pb.js";
import type { AuthorizedHandler } from "../authorized-handler.js";
import { callOf } from "../rpc-call.js";

/**
 * Implements a method for Connect. Responses are encoded here: if Connect cannot encode one, it sends its own error,
 * which neither the log nor the metrics would show.
 *
 * @throws Error if the method has a kind of stream that HTTP/JSON cannot represent.
 */
export function methodImplementation<A>(
  method: DescMethod,
  handler: AuthorizedHandler<A>,
  jsonOptions: Partial<JsonWriteOptions>,
): MethodImpl<DescMethodUnary | DescMethodStreaming> {
  const encode = (message: Message, format: ResponseFormat): EncodedBinary | EncodedJson =>
    format === "json"
      ? new EncodedJson(Buffer.from(toJsonString(method.output, message, jsonOptions)))
      : new EncodedBinary(toBinary(method.output, message));

  async function respond(request: Message, context: HandlerContext, body?: Readable): Promise<Message> {
    const call = callOf<A>(context.values);
    context.signal.throwIfAborted();
    const result = await handler(request, call, () => context.signal, body);
    const isEncoded = result instanceof EncodedBinary || result instanceof EncodedJson;
    const encoded = isEncoded ? result : encode(result, call.format);
    call.release = await call.record.share.holdResponse(encoded.bytes, () => context.signal);
    call.encoded = encoded;
    return create(method.output);
  }

  if (method.methodKind === "unary") {
    return (request: Message, context: HandlerContext) => respond(request, context);
  }
  if (method.methodKind !== "client_streaming")
    throw new Error(`${method} streams responses, which is not supported`);
  const bodyField = method.input.fields.find(({ message }) => message?.typeName === HttpBodySchema.typeName);
  if (bodyField?.fieldKind !== "message")
    throw new Error(`${method} streams a type other than google.api.HttpBody`);
  const bytesOf = (request: Message): Uint8Array =>
    (reflect(method.input, request).get(bodyField).message as HttpBody).data;

  return ((requests: AsyncIterable<Message>, context: HandlerContext) =>
    withFirst(requests, (first, rest) => {
      const body = Readable.from(chunks(first, rest, bytesOf), { objectMode: false });
      return respond(first, context, body).finally(() => body.destroy());
    })) as MethodImpl<DescMethodStreaming>;
}

/** Calls `use` with the first message of a stream, and with an iterator over the other messages. */
async function withFirst<M>(
  messages: AsyncIterable<M>,
  use: (first: M, rest: AsyncIterator<M>) => Promise<Message>,
): Promise<Message> {
  const iterator = messages[Symbol.asyncIterator]();
  const { done, value } = await iterator.next();
  if (done)
    throw ApiError.invalidArgument("REQUEST_MISSING", "request", "the stream ended before its first message");
  return use(value, iterator);
}

async function* chunks<M>(
  first: M,
  rest: AsyncIterator<M>,
  bytesOf: (message: M) => Uint8Array,
): AsyncGenerator<Uint8Array> {
  for (let message = first; ; ) {
    const bytes = bytesOf(message);
    if (bytes.length > 0) yield bytes;
    const next = await rest.next();
    if (next.done) return;
    message = next.value;
  }
}

/**
 * Converts errors of handlers, and of the messages that they read. Also records that Connect has called the handler.
 * Connect reports an undecodable message as `INTERNAL`, although the caller has caused it.
 *
 * A `ConnectError` from a handler stays unchanged: it was already converted, or comes from a service that only gRPC and
 * Connect have, such as health.
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
