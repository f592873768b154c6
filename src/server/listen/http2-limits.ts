import { constants, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import type { Socket } from "node:net";
import { MAX_ENDED_CONNECTION_MS } from "../../limits/limits.js";

/** How long clients may take for their part, in milliseconds. */
export interface TimeLimits {
  /** Until the first bytes tell the protocol, then again until the first request by HTTP/2 is there. */
  readonly head: number;
  /** Until the whole of a request by HTTP/2 is there. */
  readonly request: number;
  /** Until a connection by HTTP/2 on which nothing is asked is closed. */
  readonly idle: number;
}

/**
 * Closes a connection on which nothing is asked. What counts is that there is no stream: neither pings nor bytes of a
 * request whose head never ends keep a connection open.
 *
 * @returns what closes it as soon as what is under way has finished.
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

/** Ends a stream whose request does not arrive in time. */
export function limitTime(stream: ServerHttp2Stream, { request }: TimeLimits): void {
  if (stream.endAfterHeaders) return;
  const timer = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), request);
  const stop = (): void => clearTimeout(timer);
  stream.once("end", stop).once("close", stop);
}
