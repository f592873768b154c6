import { Readable } from "node:stream";
import {
  create,
  type DescMethod,
  type DescMethodStreaming,
  type DescMethodUnary,
  type Message,
} from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { Code as ConnectCode, ConnectError, type HandlerContext, type MethodImpl } from "@connectrpc/connect";
import { type HttpBody, HttpBodySchema } from "../gen/google/api/httpbody_pb.js";
import { ApiError } from "../transcoding/api-error.js";
import { EncodedBinary } from "../transcoding/encoded-binary.js";
import { EncodedJson } from "../transcoding/encoded-json.js";
import { deadlineExceeded, internalError, requestAborted } from "../transcoding/http-errors.js";
import type { Handler } from "../transcoding/service.js";
import { connectError } from "./connect-error.js";
import { capturesReader } from "./resource-captures.js";
import { RPC_CALL, type RpcCall } from "./rpc-call.js";

/**
 * What Connect calls for a method: authorizes the call by the resource names in its request, and hands it to the handler
 * that answers it by HTTP/JSON too.
 *
 * @throws Error if the method streams in a way that has no HTTP/JSON form.
 */
export function methodImplementation<A>(
  method: DescMethod,
  handler: Handler<DescMethod, A>,
  errorDomain: string,
): MethodImpl<DescMethodUnary | DescMethodStreaming> {
  const readCaptures = capturesReader(method);

  async function answer(request: Message, context: HandlerContext, body?: Readable): Promise<Message> {
    const call = callOf<A>(context);
    const admit = await call.admission;
    call.auth = admit(readCaptures(request));
    const signal = apiSignal(context.signal);
    signal.throwIfAborted();
    const { auth, requestId, format } = call;
    const streamed = body ?? Readable.from([]);
    const result = await handler(request, {
      auth,
      requestId,
      format,
      signal,
      ifMatch: undefined,
      body: streamed,
    });
    if (!(result instanceof EncodedBinary || result instanceof EncodedJson)) return result;
    if (result instanceof EncodedJson !== (format === "json"))
      throw new Error(`${method} was asked for ${format}`);
    call.encoded = result.bytes;
    return create(method.output);
  }

  async function orConnectError(context: HandlerContext, work: Promise<Message>): Promise<Message> {
    try {
      return await work;
    } catch (cause) {
      const call = callOf<A>(context);
      call.error = asApiError(cause, call.requestId);
      throw connectError(call.error, errorDomain);
    }
  }

  if (method.methodKind === "unary") {
    return (request: Message, context: HandlerContext) => orConnectError(context, answer(request, context));
  }
  if (method.methodKind !== "client_streaming") throw new Error(`${method} streams to the client`);
  const bodyField = method.input.fields.find(({ message }) => message?.typeName === HttpBodySchema.typeName);
  if (bodyField?.fieldKind !== "message") throw new Error(`${method} streams what is no google.api.HttpBody`);
  const bytesOf = (request: Message): Uint8Array =>
    (reflect(method.input, request).get(bodyField).message as HttpBody).data;

  return ((requests: AsyncIterable<Message>, context: HandlerContext) =>
    orConnectError(
      context,
      withFirst(requests, (first, rest) => {
        const body = Readable.from(chunks(first, rest, bytesOf), { objectMode: false });
        return answer(first, context, body).finally(() => body.destroy());
      }),
    )) as MethodImpl<DescMethodStreaming>;
}

function callOf<A>(context: HandlerContext): RpcCall<A> {
  const call = context.values.get(RPC_CALL);
  if (call === undefined) throw new Error("the call was not made by the handler of this package");
  return call as RpcCall<A>;
}

/** Calls `use` with the first message of a stream and the others. */
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

/** A signal whose reason is an {@link ApiError}. */
function apiSignal(signal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort(asApiError(signal.reason, ""));
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return controller.signal;
}

function asApiError(cause: unknown, requestId: string): ApiError {
  if (cause instanceof ApiError) return cause;
  if (cause instanceof ConnectError) return fromConnect(cause);
  if (cause instanceof Error && cause.name === "AbortError") return requestAborted(cause);
  return internalError(requestId, cause);
}

/** What Connect found wrong with the stream of a call: frames that are malformed or too large, a deadline, a client that left. */
function fromConnect(cause: ConnectError): ApiError {
  if (cause.code === ConnectCode.DeadlineExceeded) return deadlineExceeded(cause);
  if (cause.code === ConnectCode.Canceled || cause.code === ConnectCode.Aborted) return requestAborted(cause);
  return new ApiError({
    code: cause.code as number,
    reason: "MALFORMED_CALL",
    message: cause.rawMessage,
    cause,
  });
}
