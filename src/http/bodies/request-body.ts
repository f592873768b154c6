import type { IncomingMessage } from "node:http";
import { Duplex, PassThrough, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { ApiError } from "../../api/api-error.js";
import {
  bodyTooLarge,
  malformedEncoding,
  requestAborted,
  unsupportedEncoding,
} from "../../api/http-errors.js";
import { MAX_DISCARD_MS, MAX_DISCARDED_BYTES, MAX_PACKED_LEAD_BYTES } from "../../limits/limits.js";
import { isHttp2 } from "../http2.js";
import { ByteCollector } from "./byte-collector.js";
import { decodeZstd } from "./zstd.js";

/**
 * Makes the stream that undoes a `Content-Encoding`, by its name in lower case. What it fails with is answered if it is an
 * `ApiError`; for all else the body is malformed.
 *
 * @param caller For whom.
 */
export type ContentDecoders = Readonly<Record<string, (caller: string) => Duplex>>;

export const DEFAULT_DECODERS: ContentDecoders = {
  gzip: () => createGunzip(),
  zstd: () => Duplex.from(decodeZstd),
};

/** How a body is unpacked, and for whom. */
export interface Unpacking {
  readonly decoders: ContentDecoders;
  /** Whoever sends the body. */
  readonly caller: string;
}

/** For bodies that are taken as they are. */
export const NO_UNPACKING: Unpacking = { decoders: {}, caller: "" };

/** Whether the request announces a body, which may still turn out to be empty. */
export function announcesBody(request: IncomingMessage): boolean {
  const { "content-length": length, "transfer-encoding": transferEncoding } = request.headers;
  if (length !== undefined) return Number(length) > 0;
  // By HTTP/2, bodies need neither a length nor a transfer coding (RFC 9113 §8.1).
  return isHttp2(request) ? !request.stream.endAfterHeaders : transferEncoding !== undefined;
}

/** @throws ApiError `INVALID_ARGUMENT` if the request has a body of one byte or more. */
export async function expectNoBody(request: IncomingMessage): Promise<void> {
  if (request.headers["content-length"] !== undefined) throw bodyNotEmpty();
  // Leaves the request whole, whose end would be that of the connection.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    if (chunk.length > 0) throw bodyNotEmpty();
  }
}

const bodyNotEmpty = (): ApiError =>
  ApiError.invalidArgument("REQUEST_BODY_NOT_EMPTY", "body", "this method takes no body; send none");

/**
 * Opens the body of a request, its `Content-Encoding` undone. The stream fails with an `ApiError` if the data is
 * malformed or the connection closes early. Destroying it leaves the connection open.
 *
 * @throws ApiError 415 if there is no decoder.
 */
export function openBody(request: IncomingMessage, { decoders, caller }: Unpacking): Readable {
  const coding = request.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (coding === "identity") return openRawBody(request);
  const decoder = Object.hasOwn(decoders, coding) ? decoders[coding]?.(caller) : undefined;
  if (decoder === undefined) throw unsupportedEncoding(coding, Object.keys(decoders));
  const body = bodyOf(request);
  const refuse = (cause: Error): unknown =>
    body.destroy(cause instanceof ApiError ? cause : malformedEncoding(coding, cause));
  decoder.on("error", refuse);
  limitLead(request, decoder, refuse);
  body.on("close", () => decoder.destroy());
  request.pipe(decoder).pipe(body);
  return body;
}

/** Refuses a packed body of which more comes than is to be had for it, such as one of empty members of gzip without end. */
function limitLead(request: IncomingMessage, decoder: Duplex, refuse: (cause: Error) => void): void {
  let lead = 0;
  decoder.on("data", (chunk: Buffer) => {
    lead -= 2 * chunk.length;
  });
  request.on("data", (chunk: Buffer) => {
    lead += chunk.length;
    if (lead > MAX_PACKED_LEAD_BYTES) refuse(new Error("far more is packed than it unpacks to"));
  });
}

/** Opens the body of a request as {@link openBody} does, but as it is. */
export function openRawBody(request: IncomingMessage): Readable {
  return request.pipe(bodyOf(request));
}

/** A stream for the body of a request, which fails if that is cut. */
function bodyOf(request: IncomingMessage): PassThrough {
  const body = new PassThrough();
  // Whoever reads the body sees its errors; if nobody does, they must not bring the process down.
  body.on("error", () => {});
  const cut = (): void => {
    body.destroy(requestAborted());
  };
  // By HTTP/2, a body that is cut seems to end in good order after this event.
  request.once("aborted", cut);
  if (request.aborted) cut();
  request.on("close", () => {
    if (!request.complete) cut();
  });
  return body;
}

/** Reads a whole body. @throws ApiError 413 if it has more bytes than the limit. */
export async function readBody(
  request: IncomingMessage,
  unpacking: Unpacking,
  limit: number,
): Promise<Buffer> {
  if (Number(request.headers["content-length"]) > limit) throw bodyTooLarge(limit);
  const received = new ByteCollector();
  for await (const chunk of openBody(request, unpacking)) {
    if (received.size + chunk.length > limit) throw bodyTooLarge(limit);
    received.add(chunk);
  }
  return received.bytes();
}

/** Whether a client by HTTP/1.1 may still be sending the body of its request. By HTTP/2, the answer ends it. */
export function isUnread(request: IncomingMessage): boolean {
  return !isHttp2(request) && announcesBody(request) && !request.complete && !request.destroyed;
}

/**
 * Reads what is left of a body and forgets it, because a client that is still sending reads no answer, and loses it if
 * the connection closes. A client that goes on for too long is cut off.
 * @param done Called once, when nothing more will come.
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
