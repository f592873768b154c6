import type { ServerHttp2Stream } from "node:http2";
import type { ApiError } from "../api/api-error.js";
import { ENVELOPE_BYTES } from "../api/encoded-answer.js";
import { requestAborted } from "../api/http-errors.js";
import { ByteCollector } from "../http/bodies/byte-collector.js";
import { MAX_MESSAGE_BYTES } from "../limits/limits.js";
import { malformedCall, messageTooLarge } from "./errors/call-problems.js";

/**
 * Reads the one message of a unary call in gRPC's usual form, which is not compressed. What is wrong with its envelope is told
 * without waiting for the rest.
 *
 * @throws ApiError if that is not what the stream brings, or if the client leaves.
 */
export function readMessage(stream: ServerHttp2Stream): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (stream.closed) throw requestAborted();
    const received = new ByteCollector();
    const left = (): void => reject(requestAborted());
    const take = (chunk: Buffer): void => {
      received.add(chunk);
      const problem = problemOf(received.bytes());
      if (problem !== undefined) reject(problem);
    };
    const end = (): void => {
      stream.off("close", left);
      const frame = received.bytes();
      if (isWhole(frame)) resolve(frame.subarray(ENVELOPE_BYTES));
      else reject(malformedCall("the request message is cut short"));
    };
    // A stream without a byte may have come to its end before it was known who calls.
    if (stream.readableEnded) end();
    else stream.on("data", take).once("close", left).once("end", end);
  });
}

/** The bytes of a frame and of its envelope, once they are there to say so. */
const sizeOf = (bytes: Buffer): number =>
  ENVELOPE_BYTES + (bytes.length < ENVELOPE_BYTES ? 0 : bytes.readUInt32BE(1));

const isWhole = (bytes: Buffer): boolean => bytes.length === sizeOf(bytes);

/** What is wrong with the first bytes of a frame, besides that more may follow. */
function problemOf(bytes: Buffer): ApiError | undefined {
  if (bytes.length < ENVELOPE_BYTES) return undefined;
  const size = sizeOf(bytes);
  if (size > ENVELOPE_BYTES + MAX_MESSAGE_BYTES) return messageTooLarge(MAX_MESSAGE_BYTES);
  if (bytes[0] !== 0)
    return malformedCall("the request message is compressed, and no grpc-encoding says how");
  return bytes.length > size ? malformedCall("there is more than one request message") : undefined;
}
