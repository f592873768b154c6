import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerHttp2Stream } from "node:http2";
import { type DescMethod, fromBinary, toBinary } from "@bufbuild/protobuf";
import { abortable } from "@waybill/client/support";
import { deadlineExceeded, requestAborted } from "../api/call-errors.js";
import { EncodedBinary, EncodedJson, enveloped } from "../api/encoded-answer.js";
import { handOver } from "../http/answers/hand-over.js";
import type { AuthorizedHandler } from "./authorized-handler.js";
import { abortAfter, readTimeout } from "./deadline.js";
import { grpcStatus } from "./errors/grpc-status.js";
import { malformedCall } from "./errors/rpc-errors.js";
import { readMessage } from "./read-message.js";
import type { RpcCall } from "./rpc-call.js";

const OK = { "grpc-status": "0" };

const PLAIN_TYPE = /^application\/grpc(?:\+proto)?$/;

/**
 * Returns true if a stream is a gRPC call in its usual form: binary and uncompressed. Such calls take a
 * shortcut, at a fraction of the cost, if they are unary or refused. Connect, whose behavior the shortcut
 * copies, answers all others.
 */
export function isPlainGrpc(headers: IncomingHttpHeaders): boolean {
  const {
    ":method": httpMethod,
    "content-type": type = "",
    "grpc-encoding": encoding = "identity",
  } = headers;
  return httpMethod === "POST" && encoding === "identity" && PLAIN_TYPE.test(type);
}

/** Options for the calls of one method. */
export interface PlainGrpcOptions<A> {
  readonly method: DescMethod;
  readonly handler: AuthorizedHandler<A>;
}

/** Answers a stream that {@link isPlainGrpc}. @returns false if the client has disconnected. */
export async function answerPlainGrpc<A>(
  stream: ServerHttp2Stream,
  requestHeaders: IncomingHttpHeaders,
  call: RpcCall<A>,
  { method, handler }: PlainGrpcOptions<A>,
): Promise<boolean> {
  const { requestId, share } = call.record;
  const headers = headersOf(requestId);
  const { milliseconds, error } = readTimeout("grpc", (name) => requestHeaders[name]?.toString());
  const deadline = milliseconds === undefined ? undefined : signalOf(stream, milliseconds);
  const inTime = <T>(work: Promise<T>) => abortable(work, deadline);
  try {
    await inTime(call.admission);
    if (error !== undefined) throw error;
    const message = parse(method, await inTime(readMessage(stream)));
    const answer = await handler(message, call, () => deadline ?? signalOf(stream));
    if (answer instanceof EncodedJson) throw new Error(`${method} answers in JSON`);
    if (stream.closed) return false;
    const frame =
      answer instanceof EncodedBinary ? answer.enveloped : enveloped(toBinary(method.output, answer));
    const { stallMs } = share;
    const holding = share.holdAnswer(frame, () => deadline ?? signalOf(stream));
    const release = holding instanceof Promise ? await holding : holding;
    stream.respond(headers, { waitForTrailers: true });
    stream.once("wantTrailers", () => stream.sendTrailers(OK));
    handOver(stream, frame, { release, stallMs });
    return true;
  } catch (cause) {
    const error = call.fail(cause);
    if (stream.closed) return false;
    refusePlainGrpc(stream, requestId, grpcStatus(error));
    return true;
  } finally {
    share.end();
  }
}

/** Answers a stream with an error. @param status the metadata of the error. */
export function refusePlainGrpc(stream: ServerHttp2Stream, requestId: string, status: Headers): void {
  stream.respond({ ...headersOf(requestId), ...Object.fromEntries(status) }, { endStream: true });
}

const headersOf = (requestId: string): OutgoingHttpHeaders => ({
  "content-type": "application/grpc+proto",
  "x-request-id": requestId,
});

function parse(method: DescMethod, bytes: Buffer) {
  try {
    return fromBinary(method.input, bytes);
  } catch (cause) {
    throw malformedCall(`the request message cannot be decoded: ${(cause as Error).message}`);
  }
}

/** Makes a signal that aborts when the client disconnects or the deadline passes. */
function signalOf(stream: ServerHttp2Stream, timeoutMs?: number): AbortSignal {
  const controller = new AbortController();
  const stopTimer = abortAfter(controller, timeoutMs, deadlineExceeded);
  stream.once("close", () => {
    stopTimer();
    if (!stream.writableEnded) controller.abort(requestAborted());
  });
  if (stream.closed) controller.abort(requestAborted());
  return controller.signal;
}
