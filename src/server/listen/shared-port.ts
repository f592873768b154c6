import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import {
  createServer as createHttp2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import { createServer as createHttpsServer } from "node:https";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import {
  MAX_HEAD_MS,
  MAX_IDLE_MS,
  MAX_PIPELINED,
  MAX_REQUEST_MS,
  MAX_RESPONDED_STREAM_MS,
  MAX_RESPONDED_STREAMS,
  MAX_STREAMS,
} from "../../limits/request-limits.js";
import { Connections, type PortBounds } from "./connections.js";
import { closeWhenIdle, limitTime, type TimeLimits } from "./http2-limits.js";
import type { TlsMaterial } from "./tls.js";

export interface SharedPortOptions {
  /** Options for HTTP/1.1. */
  readonly http: ServerOptions;
  /** TLS options. If omitted, connections are unencrypted. */
  readonly tls?: TlsMaterial | undefined;
  /** Handles requests of both HTTP versions. HTTP/2 requests arrive through the compatibility API of Node.js. */
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
  /** Returns true if it has handled the HTTP/2 stream itself. All other streams are passed to {@link handler}. */
  readonly take?: (
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    rawHeaders: readonly string[],
  ) => boolean;
  /** Timeouts for HTTP/2. The timeouts for HTTP/1.1 are in {@link http}. */
  readonly limits?: TimeLimits;
  /** Limits on open connections. If omitted, their number is unlimited. */
  readonly bounds?: PortBounds | undefined;
}

/** A server that speaks HTTP/1.1 and HTTP/2 on one port. */
export interface SharedPort {
  readonly server: Server;
  readonly connections: Connections;
  /**
   * Asks clients to close their connections, and continues to serve requests. An HTTP/1.1 connection ends with its next
   * response. An HTTP/2 connection ends with its streams in progress. A new HTTP/2 connection ends with its first
   * stream.
   */
  drain(): void;
  /**
   * Makes HTTP/2 connections reject new streams and end with their last stream. Closing the server has the same effect
   * on HTTP/1.1 connections.
   */
  closeSessions(): void;
}

/** The function in Node.js that converts a stream to a request. */
type ServeStream = (
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  flags: number,
  rawHeaders: string[],
) => void;

const LIMITS: TimeLimits = {
  head: MAX_HEAD_MS,
  request: MAX_REQUEST_MS,
  idle: MAX_IDLE_MS,
};

/** Time after which TCP keep-alive starts to probe an idle HTTP/2 connection, in milliseconds. */
const PROBE_MS = 60_000;

/**
 * Creates a server for HTTP/1.1 and HTTP/2 on one port. With TLS, the client selects the version by ALPN (RFC 7301).
 * Without TLS, the first bytes decide, because an HTTP/2 connection starts with a fixed preface (RFC 9113 §3.3).
 */
export function sharedPort({
  http,
  tls,
  handler,
  take,
  limits = LIMITS,
  bounds,
}: SharedPortOptions): SharedPort {
  /** Functions that close sessions, by session. */
  const sessions = new Map<ServerHttp2Session, () => void>();
  const closeSessions = (): void => {
    for (const close of sessions.values()) close();
  };
  let isDraining = false;
  const http2 = createHttp2Server({ settings: { maxConcurrentStreams: MAX_STREAMS } });
  for (const event of ["request", "checkExpectation", "connect"] as const) {
    http2.on(event, (request: Http2ServerRequest, response: Http2ServerResponse) =>
      handler(request as unknown as IncomingMessage, response as unknown as ServerResponse),
    );
  }
  const [toRequest] = http2.listeners("stream") as ServeStream[];
  if (toRequest === undefined) throw new Error("the HTTP/2 server does not create requests from its streams");
  http2.off("stream", toRequest);
  http2.on("stream", (...[stream, headers, flags, rawHeaders]: Parameters<ServeStream>) => {
    // A stream error caused by the client ends the stream, and needs no report.
    stream.on("error", () => {});
    limitTime(stream, limits);
    if (!take?.(stream, headers, rawHeaders)) toRequest.call(http2, stream, headers, flags, rawHeaders);
  });
  // A connection error caused by the client ends the connection, and needs no report.
  http2.on("sessionError", () => {});

  const handleHttp1 = oneByOne((request, response) => {
    if (isDraining) response.setHeader("connection", "close");
    handler(request, response);
  });
  const server =
    tls === undefined
      ? createServer(http, handleHttp1)
      : createHttpsServer(
          { ...http, ...tls, ALPNProtocols: ["h2", "http/1.1"], handshakeTimeout: limits.head },
          handleHttp1,
        );
  const event = tls === undefined ? "connection" : "secureConnection";
  const choose = tls === undefined ? byFirstBytes : byAlpn;
  const [serveHttp1] = server.listeners(event) as ((socket: Socket) => void)[];
  if (serveHttp1 === undefined) throw new Error(`the HTTP server does not listen to ${event}`);
  server.off(event, serveHttp1);
  const connections = new Connections(server, event, bounds);
  server.on(event, (socket: Socket) => {
    choose(socket, limits.head, (isHttp2) => {
      if (!isHttp2) return serveHttp1.call(server, socket);
      connections.leave(socket);
      // HTTP/1.1 can still respond to a client that has ended its side of the connection. HTTP/2 cannot.
      socket.allowHalfOpen = false;
      socket.setKeepAlive(true, PROBE_MS);
      http2.once("session", (session) => {
        endCompletedStreams(session);
        const close = closeWhenIdle(session, socket, limits);
        sessions.set(session, close);
        session.once("close", () => sessions.delete(session));
        session.on("stream", (stream) => {
          connections.began(socket);
          if (isDraining) close();
          stream.once("close", () => connections.ended(socket));
        });
      });
      http2.emit("connection", socket);
    });
  });
  return {
    server,
    connections,
    drain: () => {
      isDraining = true;
      closeSessions();
    },
    closeSessions,
  };
}

/** Selects the HTTP version by the protocol that was negotiated in the TLS handshake. */
function byAlpn(socket: Socket, _timeout: number, chosen: (isHttp2: boolean) => void): void {
  chosen((socket as TLSSocket).alpnProtocol === "h2");
}

/**
 * Start of the HTTP/2 preface. HTTP/1.1 requests cannot start like this, because there is no method `PRI` (RFC 9113
 * §3.4).
 */
const PREFACE_START = Buffer.from("PRI ");

/** Selects the HTTP version by the first bytes, and returns them to the stream. */
function byFirstBytes(socket: Socket, timeout: number, chosen: (isHttp2: boolean) => void): void {
  let seen: Buffer = Buffer.alloc(0);
  const timer = setTimeout(() => socket.destroy(), timeout);
  const stop = (): void => {
    clearTimeout(timer);
    socket.off("readable", look).off("error", stop).off("close", stop).off("end", giveUp);
  };
  const giveUp = (): void => {
    stop();
    socket.destroy();
  };
  const look = (): void => {
    const chunk: Buffer | null = socket.read();
    if (chunk === null) return;
    seen = seen.length === 0 ? chunk : Buffer.concat([seen, chunk]);
    const compared = Math.min(seen.length, PREFACE_START.length);
    const like = PREFACE_START.compare(seen, 0, compared, 0, compared) === 0;
    if (like && compared < PREFACE_START.length) return;
    stop();
    socket.unshift(seen);
    chosen(like);
  };
  socket.on("readable", look).on("error", stop).on("close", stop).on("end", giveUp);
}

/**
 * Ends HTTP/2 streams that have a complete response, but an incomplete request, such as a rejected import. The client
 * first gets time to end its request, because a reset could overtake the response. If the request continues too long,
 * or too many such streams are open, the oldest stream is cancelled (RFC 9113 §8.1).
 *
 * Without this, such a stream would stay open: it would count against the connection's stream limit, and its unread
 * bytes would fill the flow-control window.
 */
function endCompletedStreams(session: ServerHttp2Session): void {
  /** Streams with a complete response, oldest first. */
  const responded = new Set<ServerHttp2Stream>();
  session.on("stream", (stream) => {
    stream.once("finish", () => {
      if (stream.destroyed || stream.readableEnded) return;
      stream.removeAllListeners("data").resume();
      const timer = setTimeout(() => stream.destroy(), MAX_RESPONDED_STREAM_MS);
      responded.add(stream);
      stream.once("close", () => {
        clearTimeout(timer);
        responded.delete(stream);
      });
      const [oldest] = responded;
      if (responded.size > MAX_RESPONDED_STREAMS) oldest?.destroy();
    });
  });
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Handles pipelined requests (RFC 9112 §9.3.2) one at a time. A request starts when the client has received the
 * previous response. If a client reads no responses, only its first request is handled. A connection with too many
 * waiting requests is closed.
 */
export function oneByOne(handle: Handle): Handle {
  const waiting = new WeakMap<Socket, number>();
  return (request, response) => {
    // Node.js assigns a socket to a response when the previous response has ended.
    if (response.socket !== null) return handle(request, response);
    const { socket } = request;
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > MAX_PIPELINED) {
      socket.destroy();
      return;
    }
    waiting.set(socket, count);
    response.once("socket", () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      handle(request, response);
    });
  };
}
