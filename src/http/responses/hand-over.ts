import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";
import { constants, type ServerHttp2Stream } from "node:http2";
import type { Release } from "../../limits/budget.js";
import { MAX_PIECE_BYTES, MAX_STALL_MS } from "../../limits/request-limits.js";

/** A response of either HTTP version, or a bare HTTP/2 stream. */
export type ResponseTarget = ServerResponse | ServerHttp2Stream;

export interface HandOverOptions {
  /** Called when the client has read the whole response or has disconnected. */
  readonly release?: Release | undefined;
  /** Timeout for the client to read one piece, in milliseconds. */
  readonly stallMs?: number | undefined;
}

/**
 * Finishes a response; on HTTP/1.1, after the current event loop tick. A large body is written in pieces, so
 * that only one piece is copied at a time. Each piece waits until the client has read the previous one. A client that
 * does not read a piece in time is disconnected.
 */
export function handOver(
  target: ResponseTarget,
  body: Uint8Array | undefined,
  options: HandOverOptions = {},
): void {
  // On HTTP/2, Node.js already combines writes of the same tick.
  if ("stream" in target || "session" in target) writeRest(target, body, options);
  else atTurnEnd(() => writeRest(target, textOf(body) ?? body, options));
}

function writeRest(
  target: ResponseTarget,
  body: Uint8Array | string | undefined,
  { release, stallMs = MAX_STALL_MS }: HandOverOptions,
): void {
  if (streamOf(target).destroyed) {
    release?.();
    return;
  }
  const inPieces = typeof body === "object" && body.length > MAX_PIECE_BYTES;
  if (!inPieces) {
    target.end(typeof body === "string" && joinToHead(target, body) ? undefined : body, "latin1");
    // On HTTP/1.1, the operating system usually accepts a small response immediately.
    if (target.writableFinished) {
      release?.();
      return;
    }
  }
  const timer = setTimeout(() => leave(target), stallMs);
  target.once("close", () => {
    clearTimeout(timer);
    release?.();
  });
  if (inPieces) writePieces(target, body, timer, (rest) => target.end(rest));
}

/** Maximum size of a body that is written as text, in bytes. Copying a larger one costs more than it saves. */
const MAX_TEXT_BYTES = 8 * 1024;

/** A response of HTTP/1.1, with properties of Node.js that are not documented. */
interface Http1Response extends ServerResponse {
  /** Text of the head, after `writeHead`. */
  _header?: unknown;
  readonly _headerSent?: unknown;
  /** False for statuses and methods without a body. */
  readonly _hasBody?: unknown;
}

/**
 * Appends a body of known length to a head that Node.js has not sent yet. If `end` receives the body instead, Node.js
 * also writes an empty string after it, and sends both with a system call for several buffers. It is slower.
 *
 * @returns false if the body must be written separately.
 */
function joinToHead(target: ResponseTarget, body: string): boolean {
  const response = target as Http1Response;
  const { _header: head, _headerSent, _hasBody, chunkedEncoding } = response;
  if (typeof head !== "string" || _headerSent !== false || _hasBody !== true || chunkedEncoding) return false;
  response._header = head + body;
  return true;
}

/** Returns a small body as Latin-1, an encoding that preserves every byte. Returns `undefined` for a large body. */
function textOf(body: Uint8Array | undefined): string | undefined {
  if (!Buffer.isBuffer(body) || body.length > MAX_TEXT_BYTES) return undefined;
  return body.toString("latin1");
}

/**
 * Writes a part of a response, like {@link handOver}. Resolves when the client has read it or has disconnected.
 */
export function handOverPart(
  target: ResponseTarget,
  body: Uint8Array,
  { release, stallMs = MAX_STALL_MS }: HandOverOptions = {},
): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => leave(target), stallMs);
    const done = (): void => {
      clearTimeout(timer);
      target.off("close", done);
      release?.();
      resolve();
    };
    target.once("close", done);
    if (streamOf(target).destroyed) done();
    else writePieces(target, body, timer, (rest) => target.write(rest, done));
  });
}

/** Writes a body in pieces. @param writeLast writes the last piece. */
function writePieces(
  target: ResponseTarget,
  body: Uint8Array,
  timer: NodeJS.Timeout,
  writeLast: (piece: Uint8Array) => void,
): void {
  let written = 0;
  const writeNext = (error?: Error | null): void => {
    if (error) return;
    timer.refresh();
    const piece = body.subarray(written, written + MAX_PIECE_BYTES);
    written += piece.length;
    if (written === body.length) writeLast(piece);
    else target.write(piece, writeNext);
  };
  writeNext();
}

/**
 * Abandons a response: closes the stream on HTTP/2, or the connection on HTTP/1.1.
 *
 * @param code HTTP/2 error code. By default, the one for a response that the client does not read.
 */
export function leave(target: ResponseTarget, code: number = constants.NGHTTP2_CANCEL): void {
  const stream = streamOf(target);
  if ("session" in stream) stream.close(code);
  stream.destroy();
}

/** Returns the object that has the connection state: the response, or its stream on HTTP/2. */
function streamOf(target: ResponseTarget): ResponseTarget {
  return "stream" in target ? (target.stream as ServerHttp2Stream) : target;
}

/** Functions that write responses after the current event loop tick, and those that run after them. */
let writes: (() => void)[] = [];
let others: (() => void)[] = [];

/**
 * Calls a function that writes a response after the current event loop tick, when all requests of the tick have been
 * handled. Functions run in the order in which they were added. Waking a client process can cost more than a small
 * response, and responses that are written together wake the client only once.
 */
export function atTurnEnd(write: () => void): void {
  scheduleFirst();
  writes.push(write);
}

/** Calls a function after this event loop tick's responses, because clients wait for those. */
export function afterResponses(work: () => void): void {
  scheduleFirst();
  others.push(work);
}

/** Calls a function in no request's async context. The first request of a tick would otherwise pass on its own. */
const outsideCalls = AsyncLocalStorage.snapshot();

function scheduleFirst(): void {
  if (writes.length === 0 && others.length === 0) setImmediate(outsideCalls, doAll);
}

function doAll(): void {
  const works = [...writes, ...others];
  writes = [];
  others = [];
  for (const work of works) work();
}
