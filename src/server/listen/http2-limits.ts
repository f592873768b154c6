import { constants, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import type { Socket } from "node:net";
import { MAX_ENDED_CONNECTION_MS } from "../../limits/request-limits.js";

/** Time limits for clients, in milliseconds. */
export interface TimeLimits {
  /** Timeout for the first bytes, which select the protocol, and again for the first HTTP/2 request. */
  readonly head: number;
  /** Timeout for receiving a whole HTTP/2 request. */
  readonly request: number;
  /** Timeout for an HTTP/2 connection without streams. */
  readonly idle: number;
}

/**
 * Closes an HTTP/2 connection that has been idle for some time. Only streams count as activity: neither pings nor an
 * endless request head keep a connection open.
 *
 * @returns a function that closes the connection as soon as its streams have ended.
 */
export function closeWhenIdle(
  session: ServerHttp2Session,
  socket: Socket,
  { head, idle }: TimeLimits,
): () => void {
  let streams = 0;
  const closeIfIdle = (): void => {
    if (streams === 0) close();
  };
  let timer = setTimeout(closeIfIdle, head);
  const setTimer = (action: () => void, milliseconds: number): void => {
    clearTimeout(timer);
    timer = setTimeout(action, milliseconds);
  };
  const close = (): void => {
    session.close();
    if (streams === 0) setTimer(() => socket.destroy(), MAX_ENDED_CONNECTION_MS);
  };
  session.once("stream", () => setTimer(closeIfIdle, idle));
  session.on("stream", (stream) => {
    streams++;
    stream.once("close", () => {
      streams--;
      if (streams > 0) return;
      if (session.closed) close();
      else timer.refresh();
    });
  });
  socket.once("close", () => clearTimeout(timer));
  return close;
}

/** Cancels a stream if its request does not arrive completely in time. */
export function limitTime(stream: ServerHttp2Stream, { request }: TimeLimits): void {
  if (stream.endAfterHeaders) return;
  const timer = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), request);
  const stop = (): void => clearTimeout(timer);
  stream.once("end", stop).once("close", stop);
}
