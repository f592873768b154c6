import {
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
  sensitiveHeaders,
} from "node:http2";
import { type DescMethod, fromBinary, toBinary } from "@bufbuild/protobuf";
import { abortable } from "@waybill/client/support";
import type { ApiError } from "../api/api-error.js";
import { ENVELOPE_BYTES, EncodedBinary, EncodedJson, enveloped } from "../api/encoded-response.js";
import { deadlineExceeded, requestAborted } from "../api/errors.js";
import { handOver, leave } from "../http/responses/hand-over.js";
import { ByteCollector } from "../limits/byte-buffers.js";
import type { AuthorizedHandler } from "./authorized-handler.js";
import { abortAfter, readTimeout } from "./deadline.js";
import { grpcStatus } from "./errors/connect-error.js";
import { malformedCall, messageTooLarge } from "./errors/rpc-errors.js";
import type { RpcCall } from "./rpc-call.js";

const OK = { "grpc-status": "0" };

const PLAIN_TYPE = /^application\/grpc(?:\+proto)?$/;

/**
 * Returns true if a stream is a binary, uncompressed gRPC call. If such a call is unary or rejected, it is handled
 * without Connect. This has the same result and costs much less. Connect handles all other calls.
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
  /** Maximum size of a request message, in bytes. */
  readonly maxMessageBytes: number;
}

/** Handles a stream for which {@link isPlainGrpc} returns true. @returns false if the client has disconnected. */
export async function respondToPlainGrpc<A>(
  stream: ServerHttp2Stream,
  requestHeaders: IncomingHttpHeaders,
  call: RpcCall<A>,
  { method, handler, maxMessageBytes }: PlainGrpcOptions<A>,
): Promise<boolean> {
  const { requestId, share } = call.record;
  const headers = headersOf(requestId);
  const { milliseconds, error } = readTimeout("grpc", (name) => requestHeaders[name]?.toString());
  const deadline = milliseconds === undefined ? undefined : signalOf(stream, milliseconds);
  const inTime = <T>(work: Promise<T>) => abortable(work, deadline);
  try {
    await inTime(call.admission);
    if (error !== undefined) throw error;
    const message = parse(method, await inTime(readMessage(stream, maxMessageBytes)));
    const result = await handler(message, call, () => deadline ?? signalOf(stream));
    if (result instanceof EncodedJson) throw new Error(`${method} returned JSON`);
    if (stream.closed) return false;
    const frame =
      result instanceof EncodedBinary ? result.enveloped : enveloped(toBinary(method.output, result));
    const { stallMs } = share;
    const holding = share.holdResponse(frame, () => deadline ?? signalOf(stream));
    const release = holding instanceof Promise ? await holding : holding;
    stream.respond(headers, { waitForTrailers: true });
    stream.once("wantTrailers", () => stream.sendTrailers(OK));
    handOver(stream, frame, { release, stallMs });
    return true;
  } catch (cause) {
    const error = call.fail(cause);
    if (stream.closed) return false;
    // Closing the stream shows the client that the response is incomplete.
    if (stream.headersSent) leave(stream, constants.NGHTTP2_INTERNAL_ERROR);
    else rejectPlainGrpc(stream, requestId, grpcStatus(error));
    return true;
  } finally {
    share.end();
  }
}

/** Ends a stream with an error. @param status metadata that describes the error. */
export function rejectPlainGrpc(stream: ServerHttp2Stream, requestId: string, status: Headers): void {
  stream.respond({ ...headersOf(requestId), ...Object.fromEntries(status) }, { endStream: true });
}

const REQUEST_ID = "x-request-id";

/**
 * Headers that HTTP/2 does not add to a connection's table of repeated headers (RFC 7541 §7.1.3). A request id is never
 * repeated, and would displace the others.
 */
const NOT_REPEATED = [REQUEST_ID];

const headersOf = (requestId: string): OutgoingHttpHeaders => ({
  "content-type": "application/grpc+proto",
  [REQUEST_ID]: requestId,
  [sensitiveHeaders]: NOT_REPEATED,
});

function parse(method: DescMethod, bytes: Buffer) {
  try {
    return fromBinary(method.input, bytes);
  } catch (cause) {
    throw malformedCall(`the request message cannot be decoded: ${(cause as Error).message}`);
  }
}

/** Creates a signal that aborts when the client disconnects or the deadline passes. */
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

/**
 * Reads the message in a unary, uncompressed gRPC call. Rejects an invalid envelope before the message has arrived
 * completely.
 *
 * @throws ApiError if the stream has any other content, or the client disconnects.
 */
function readMessage(stream: ServerHttp2Stream, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (stream.closed) throw requestAborted();
    const received = new ByteCollector();
    const left = (): void => reject(requestAborted());
    const take = (chunk: Buffer): void => {
      received.add(chunk);
      const error = findEnvelopeError(received.bytes(), limit);
      if (error !== undefined) reject(error);
    };
    const end = (): void => {
      stream.off("close", left);
      const frame = received.bytes();
      if (isWhole(frame)) resolve(frame.subarray(ENVELOPE_BYTES));
      else reject(malformedCall("the request message is truncated"));
    };
    // A stream without content may already have ended during authentication.
    if (stream.readableEnded) end();
    else stream.on("data", take).once("close", left).once("end", end);
  });
}

/** Returns a frame's size including its envelope. Until the envelope has arrived, returns the envelope size. */
const sizeOf = (bytes: Buffer): number =>
  ENVELOPE_BYTES + (bytes.length < ENVELOPE_BYTES ? 0 : bytes.readUInt32BE(1));

const isWhole = (bytes: Buffer): boolean => bytes.length === sizeOf(bytes);

/** Returns the error in the first bytes of a frame, if there is one. An incomplete frame is not an error. */
function findEnvelopeError(bytes: Buffer, limit: number): ApiError | undefined {
  if (bytes.length < ENVELOPE_BYTES) return undefined;
  const size = sizeOf(bytes);
  if (size > ENVELOPE_BYTES + limit) return messageTooLarge(limit);
  if (bytes[0] !== 0)
    return malformedCall("the request message is compressed, but there is no grpc-encoding");
  return bytes.length > size ? malformedCall("there is more than one request message") : undefined;
}
