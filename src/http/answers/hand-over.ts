import type { ServerResponse } from "node:http";
import { constants, type ServerHttp2Stream } from "node:http2";
import type { Release } from "../../limits/budget.js";
import { MAX_PIECE_BYTES, MAX_STALL_MS } from "../../limits/limits.js";

/** What an answer is written to: a response of either version, or a stream of HTTP/2 by itself. */
export type AnswerTarget = ServerResponse | ServerHttp2Stream;

/** How an answer is handed over. */
export interface HandOverOptions {
  /** Called when the client has taken what was written, or has gone. */
  readonly release?: Release | undefined;
  /** How long the client may take for each piece, in milliseconds. */
  readonly stallMs?: number | undefined;
}

/**
 * Writes what is left of an answer, and ends it. What is large is written piece by piece, each when the client has taken the
 * one before, so that no more of it than that is copied. A client that does not take a piece in time is left.
 */
export function handOver(
  target: AnswerTarget,
  body: Uint8Array | undefined,
  { release, stallMs = MAX_STALL_MS }: HandOverOptions = {},
): void {
  if (streamOf(target).destroyed) {
    release?.();
    return;
  }
  const last = (body?.length ?? 0) <= MAX_PIECE_BYTES;
  if (last) {
    target.end(body);
    // Mostly the system has taken a small answer by HTTP/1.1 at once.
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
  if (body !== undefined && !last) writePieces(target, body, timer, (rest) => target.end(rest));
}

/** Writes a part of an answer as {@link handOver} does. The promise resolves when the client has taken it, or has gone. */
export function handOverPart(
  target: AnswerTarget,
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

/** @param writeLast writes the last piece. */
function writePieces(
  target: AnswerTarget,
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

/** Ends an answer of which the client takes nothing: by HTTP/2 its stream, else its connection. */
export function leave(target: AnswerTarget): void {
  const stream = streamOf(target);
  if ("session" in stream) stream.close(constants.NGHTTP2_CANCEL);
  stream.destroy();
}

/** By HTTP/2, only the stream of a response knows whether it is still there. */
function streamOf(target: AnswerTarget): AnswerTarget {
  return "stream" in target ? (target.stream as ServerHttp2Stream) : target;
}
