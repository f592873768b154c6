import type { IncomingMessage } from "node:http";
import { Duplex, PassThrough, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { ApiError } from "../../api/api-error.js";
import { requestAborted } from "../../api/errors.js";
import { Code } from "../../gen/google/rpc/code_pb.js";
import { ByteCollector } from "../../limits/byte-buffers.js";
import { excerpt } from "../../limits/excerpt.js";
import { MAX_DISCARD_MS, MAX_DISCARDED_BYTES, MAX_PACKED_LEAD_BYTES } from "../../limits/request-limits.js";
import { isHttp2 } from "../peer.js";
import { decodeZstd } from "./zstd.js";

/**
 * Functions that create a decoding stream, by `Content-Encoding` in lower case. If the stream fails with an `ApiError`,
 * the caller receives that error. Any other error means that the body is malformed.
 */
export type ContentDecoders = Readonly<Record<string, (caller: string) => Duplex>>;

export const DEFAULT_DECODERS: ContentDecoders = {
  gzip: () => createGunzip(),
  zstd: () => Duplex.from(decodeZstd),
};

export interface Unpacking {
  readonly decoders: ContentDecoders;
  readonly caller: string;
}

/** Options that reject compressed bodies. */
export const NO_UNPACKING: Unpacking = { decoders: {}, caller: "" };

/** Returns true if the request headers announce a body. That body may still be empty. */
export function announcesBody(request: IncomingMessage): boolean {
  const { "content-length": length, "transfer-encoding": transferEncoding } = request.headers;
  if (length !== undefined) return Number(length) > 0;
  // On HTTP/2, a body needs neither a length nor a transfer coding (RFC 9113 §8.1).
  return isHttp2(request) ? !request.stream.endAfterHeaders : transferEncoding !== undefined;
}

/** @throws ApiError `INVALID_ARGUMENT` if the body is not empty. */
export async function expectNoBody(request: IncomingMessage): Promise<void> {
  if (request.headers["content-length"] !== undefined) throw bodyNotEmpty();
  // Destroying the request would close the connection.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    if (chunk.length > 0) throw bodyNotEmpty();
  }
}

const bodyNotEmpty = (): ApiError =>
  ApiError.invalidArgument("REQUEST_BODY_NOT_EMPTY", "body", "must be empty for this method");

/** Content coding if a body is not encoded. */
const IDENTITY = "identity";

const codingOf = ({ headers }: IncomingMessage): string =>
  headers["content-encoding"]?.trim().toLowerCase() ?? IDENTITY;

/**
 * Opens a request body and decodes its `Content-Encoding`. The stream fails with an `ApiError` if the data is
 * malformed or the connection closes early. Destroying the stream leaves the connection open.
 *
 * @throws ApiError 415 if there is no decoder.
 */
export function openBody(request: IncomingMessage, { decoders, caller }: Unpacking): Readable {
  const coding = codingOf(request);
  if (coding === IDENTITY) return openRawBody(request);
  const decoder = Object.hasOwn(decoders, coding) ? decoders[coding]?.(caller) : undefined;
  if (decoder === undefined) throw unsupportedEncoding(coding, Object.keys(decoders));
  const body = bodyOf(request);
  const reject = (cause: Error): unknown =>
    body.destroy(cause instanceof ApiError ? cause : malformedEncoding(coding, cause));
  decoder.on("error", reject);
  limitLead(request, decoder, reject);
  body.on("close", () => decoder.destroy());
  request.pipe(decoder).pipe(body);
  return body;
}

/** Rejects a compressed body that has far more input than output, such as an endless series of empty gzip members. */
function limitLead(request: IncomingMessage, decoder: Duplex, reject: (cause: Error) => void): void {
  let lead = 0;
  decoder.on("data", (chunk: Buffer) => {
    lead -= 2 * chunk.length;
  });
  request.on("data", (chunk: Buffer) => {
    lead += chunk.length;
    if (lead > MAX_PACKED_LEAD_BYTES)
      reject(new Error("the body is far larger than its decompressed content"));
  });
}

/** Opens a request body like {@link openBody}, but does not decode it. */
export function openRawBody(request: IncomingMessage): Readable {
  return request.pipe(bodyOf(request));
}

/** Creates a stream for a request body. It fails if the body is truncated. */
function bodyOf(request: IncomingMessage): PassThrough {
  const body = new PassThrough();
  // The body's readers handle its errors. If a body has no reader yet, an error must not crash the process.
  body.on("error", () => {});
  const cut = (): void => {
    body.destroy(requestAborted());
  };
  // On HTTP/2, this event is the only sign of a truncated body, which seems to end normally afterwards.
  request.once("aborted", cut);
  if (request.aborted) cut();
  request.on("close", () => {
    if (!request.complete) cut();
  });
  return body;
}

/** Reads a whole body. @throws ApiError 413 if it is larger than `limit` bytes. */
export async function readBody(
  request: IncomingMessage,
  unpacking: Unpacking,
  limit: number,
): Promise<Buffer> {
  if (Number(request.headers["content-length"]) > limit) throw bodyTooLarge(limit);
  if (codingOf(request) === IDENTITY && !isHttp2(request)) return readRawBody(request, limit);
  const received = new ByteCollector();
  for await (const chunk of openBody(request, unpacking)) {
    if (received.size + chunk.length > limit) throw bodyTooLarge(limit);
    received.add(chunk);
  }
  return received.bytes();
}

/**
 * Reads a body that is not encoded and came over HTTP/1.1. Another stream for it would cost more than all other work on a
 * small body.
 */
function readRawBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const received = new ByteCollector();
  return new Promise((resolve, reject) => {
    const fail = (error: ApiError): void => {
      request.off("data", add).pause();
      reject(error);
    };
    const add = (chunk: Buffer): void => {
      if (received.size + chunk.length > limit) fail(bodyTooLarge(limit));
      else received.add(chunk);
    };
    const cut = (): void => fail(requestAborted());
    request.on("data", add).once("end", () => resolve(received.bytes()));
    request.once("aborted", cut);
    if (request.aborted) cut();
  });
}

/**
 * Returns true if the client may still be sending its request body. This happens only on HTTP/1.1, because an HTTP/2
 * response ends the request.
 */
export function isUnread(request: IncomingMessage): boolean {
  return !isHttp2(request) && announcesBody(request) && !request.complete && !request.destroyed;
}

/**
 * Reads and discards the remaining request body. If the connection were closed instead, a client that is still sending
 * would lose the response. Clients that send for too long are disconnected.
 *
 * @param done called once, when the body has ended.
 */
export function discardBody(request: IncomingMessage, done: () => void): void {
  const timer = setTimeout(() => request.destroy(), MAX_DISCARD_MS);
  let bytes = 0;
  request.unpipe();
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_DISCARDED_BYTES) request.destroy();
  });
  request.once("close", () => {
    clearTimeout(timer);
    done();
  });
  request.resume();
}

/** The body is larger than the method accepts (413). */
const bodyTooLarge = (limit: number): ApiError =>
  new ApiError({
    code: Code.INVALID_ARGUMENT,
    reason: "BODY_TOO_LARGE",
    message: `The body is larger than ${limit} bytes. Send a smaller one.`,
    metadata: { limitBytes: String(limit) },
    httpStatus: 413,
  });

/** The server cannot decode the body's `Content-Encoding` (415). */
const unsupportedEncoding = (encoding: string, decoded: readonly string[]): ApiError => {
  const accepted = decoded.join(", ") || "identity";
  const choice = decoded.length === 0 ? "send the body uncompressed" : `use one of ${accepted}, or none`;
  return new ApiError({
    code: Code.INVALID_ARGUMENT,
    reason: "UNSUPPORTED_ENCODING",
    message: `The Content-Encoding ${excerpt(encoding)} is not supported here; ${choice}.`,
    metadata: { contentEncoding: excerpt(encoding), accepted },
    httpStatus: 415,
    // RFC 9110 §12.5.3
    headers: { "accept-encoding": accepted },
  });
};

/** The body does not match its `Content-Encoding`, or decompressing it is disproportionately expensive (400). */
const malformedEncoding = (encoding: string, cause: unknown): ApiError =>
  new ApiError({
    code: Code.INVALID_ARGUMENT,
    reason: "MALFORMED_ENCODING",
    message: `The body cannot be decompressed: it is not valid ${encoding}, is truncated, or is far larger than its content.`,
    metadata: { contentEncoding: encoding },
    cause,
  });

/** Too many bodies are being decompressed at the same time (503). */
export const decompressionBusy = (): ApiError =>
  new ApiError({
    code: Code.UNAVAILABLE,
    reason: "DECOMPRESSION_BUSY",
    message:
      "Too many bodies are being decompressed. Send this request again in a moment, or compress it with a smaller window.",
    headers: { "retry-after": "1" },
  });
