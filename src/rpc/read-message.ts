import type { ServerHttp2Stream } from "node:http2";
import type { ApiError } from "../api/api-error.js";
import { requestAborted } from "../api/call-errors.js";
import { ENVELOPE_BYTES } from "../api/encoded-answer.js";
import { ByteCollector } from "../http/bodies/byte-collector.js";
import { MAX_MESSAGE_BYTES } from "../limits/limits.js";
import { malformedCall, messageTooLarge } from "./errors/rpc-errors.js";

/**
 * Reads the single message of a unary gRPC call in its usual form, uncompressed. Rejects an invalid envelope
 * without waiting for the rest of the message.
 *
 * @throws ApiError if the stream holds anything else, or if the client disconnects.
 */
export function readMessage(stream: ServerHttp2Stream): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (stream.closed) throw requestAborted();
    const received = new ByteCollector();
    const left = (): void => reject(requestAborted());
    const take = (chunk: Buffer): void => {
      received.add(chunk);
      const error = findEnvelopeError(received.bytes());
      if (error !== undefined) reject(error);
    };
    const end = (): void => {
      stream.off("close", left);
      const frame = received.bytes();
      if (isWhole(frame)) resolve(frame.subarray(ENVELOPE_BYTES));
      else reject(malformedCall("the request message is cut short"));
    };
    // A stream without any bytes may have ended while the caller was authenticated.
    if (stream.readableEnded) end();
    else stream.on("data", take).once("close", left).once("end", end);
  });
}

/** Size of a frame with its envelope; the size of the envelope until all of that has arrived. */
const sizeOf = (bytes: Buffer): number =>
  ENVELOPE_BYTES + (bytes.length < ENVELOPE_BYTES ? 0 : bytes.readUInt32BE(1));

const isWhole = (bytes: Buffer): boolean => bytes.length === sizeOf(bytes);

/** The error in the first bytes of a frame, if any; an incomplete frame is not an error. */
function findEnvelopeError(bytes: Buffer): ApiError | undefined {
  if (bytes.length < ENVELOPE_BYTES) return undefined;
  const size = sizeOf(bytes);
  if (size > ENVELOPE_BYTES + MAX_MESSAGE_BYTES) return messageTooLarge(MAX_MESSAGE_BYTES);
  if (bytes[0] !== 0)
    return malformedCall("the request message is compressed, and no grpc-encoding says how");
  return bytes.length > size ? malformedCall("there is more than one request message") : undefined;
}
