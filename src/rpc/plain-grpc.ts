import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { type DescMethod, fromBinary, toBinary } from "@bufbuild/protobuf";
import { parseTimeout, setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import { Code } from "../gen/google/rpc/code_pb.js";
import { ApiError } from "../transcoding/api-error.js";
import { ENVELOPE_BYTES, EncodedBinary, enveloped } from "../transcoding/encoded-binary.js";
import { EncodedJson } from "../transcoding/encoded-json.js";
import { deadlineExceeded, requestAborted } from "../transcoding/http-errors.js";
import type { AuthorizedHandler } from "./authorized-handler.js";
import { connectError } from "./connect-error.js";
import type { RpcCall } from "./rpc-call.js";
import { asApiError } from "./rpc-error.js";

const OK = { "grpc-status": "0" };

const PLAIN_TYPE = /^application\/grpc(?:\+proto)?$/;

/**
 * Whether a stream is a unary call in gRPC's usual form: binary and not compressed. Such calls take a short way, at a
 * fraction of the cost; Connect, which is the definition, takes all others.
 */
export function isPlainGrpc(method: DescMethod, headers: IncomingHttpHeaders): boolean {
  const {
    ":method": httpMethod,
    "content-type": type = "",
    "grpc-encoding": encoding = "identity",
  } = headers;
  return (
    method.methodKind === "unary" && httpMethod === "POST" && encoding === "identity" && PLAIN_TYPE.test(type)
  );
}

/** What answers the calls of one method, and what they may be. */
export interface PlainGrpcOptions<A> {
  readonly method: DescMethod;
  readonly handler: AuthorizedHandler<A>;
  readonly errorDomain: string;
  /** Most bytes of a request message. */
  readonly largestMessage: number;
}

/** Answers a stream that {@link isPlainGrpc}. @returns the HTTP status that stands for the outcome. */
export async function answerPlainGrpc<A>(
  stream: ServerHttp2Stream,
  requestHeaders: IncomingHttpHeaders,
  call: RpcCall<A>,
  { method, handler, errorDomain, largestMessage }: PlainGrpcOptions<A>,
): Promise<number> {
  const started = performance.now();
  const headers = { "content-type": "application/grpc+proto", "x-request-id": call.requestId };
  try {
    await call.admission;
    const { timeoutMs, error } = parseTimeout(
      requestHeaders["grpc-timeout"]?.toString() ?? null,
      Number.MAX_SAFE_INTEGER,
    );
    if (error !== undefined) throw error;
    const message = parse(method, unframed(await readAll(stream, largestMessage), largestMessage));
    const remaining = timeoutMs === undefined ? undefined : timeoutMs - (performance.now() - started);
    if (remaining !== undefined && remaining <= 0) throw deadlineExceeded();
    const answer = await handler(message, call, () => signalOf(stream, remaining));
    if (answer instanceof EncodedJson) throw new Error(`${method} answers in JSON`);
    if (stream.destroyed) return 499;
    const frame =
      answer instanceof EncodedBinary ? answer.enveloped : enveloped(toBinary(method.output, answer));
    stream.respond(headers, { waitForTrailers: true });
    stream.once("wantTrailers", () => stream.sendTrailers(OK));
    stream.end(frame);
    return 200;
  } catch (cause) {
    call.error = asApiError(cause, call.requestId);
    if (stream.destroyed) return 499;
    const status = new Headers();
    setTrailerStatus(status, connectError(call.error, errorDomain));
    stream.respond({ ...headers, ...Object.fromEntries(status) }, { endStream: true });
    // Nothing more of the request is wanted (RFC 9113 §8.1).
    if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
    return call.error.httpStatus;
  }
}

function readAll(stream: ServerHttp2Stream, largestMessage: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    stream.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= largestMessage + ENVELOPE_BYTES) chunks.push(chunk);
      else reject(tooLarge(largestMessage));
    });
    const left = (): void => reject(requestAborted());
    stream.once("close", left);
    stream.once("end", () => {
      stream.off("close", left);
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    });
  });
}

function unframed(frame: Buffer, largestMessage: number): Buffer {
  if (frame.length < ENVELOPE_BYTES) throw malformed("the frame of the request message is cut short");
  const length = frame.readUInt32BE(1);
  if (length > largestMessage) throw tooLarge(largestMessage);
  if (frame[0] !== 0) throw malformed("the request message is compressed, and no grpc-encoding says how");
  if (frame.length < ENVELOPE_BYTES + length) throw malformed("the request message is cut short");
  if (frame.length > ENVELOPE_BYTES + length) throw malformed("there is more than one request message");
  return frame.subarray(ENVELOPE_BYTES);
}

function parse(method: DescMethod, bytes: Buffer) {
  try {
    return fromBinary(method.input, bytes);
  } catch (cause) {
    throw malformed(`the request message cannot be decoded: ${(cause as Error).message}`);
  }
}

/** A signal that aborts when the client has gone, or when the deadline has passed. */
function signalOf(stream: ServerHttp2Stream, remainingMs: number | undefined): AbortSignal {
  const controller = new AbortController();
  const timer =
    remainingMs === undefined
      ? undefined
      : setTimeout(() => controller.abort(deadlineExceeded()), Math.min(remainingMs, LONGEST_TIMER_MS));
  stream.once("close", () => {
    clearTimeout(timer);
    if (!stream.writableEnded) controller.abort(requestAborted());
  });
  if (stream.destroyed) controller.abort(requestAborted());
  return controller.signal;
}

/** Longer timers fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

const malformed = (problem: string): ApiError =>
  new ApiError({
    code: Code.INVALID_ARGUMENT,
    reason: "MALFORMED_CALL",
    message: `The call is malformed: ${problem}.`,
    metadata: { problem },
  });

const tooLarge = (limit: number): ApiError =>
  new ApiError({
    code: Code.RESOURCE_EXHAUSTED,
    reason: "MESSAGE_TOO_LARGE",
    message: `The request message is larger than ${limit} bytes.`,
    metadata: { limitBytes: String(limit) },
  });
