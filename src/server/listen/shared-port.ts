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
} from "../../limits/limits.js";
import { Connections, type PortBounds } from "./connections.js";
import { closeWhenIdle, limitTime, type TimeLimits } from "./http2-limits.js";
import type { TlsMaterial } from "./tls.js";

export interface SharedPortOptions {
  /** Options of the HTTP/1.1 server. */
  readonly http: ServerOptions;
  /** If omitted, connections are unencrypted. */
  readonly tls?: TlsMaterial | undefined;
  /** Handles requests of both versions. HTTP/2 requests arrive through Node's compatibility API. */
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
  /** Handles an HTTP/2 stream directly if it returns true. Other streams go to {@link handler}. */
  readonly take?: (
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    rawHeaders: readonly string[],
  ) => boolean;
  /** Time limits for HTTP/2. `http` has the limits for HTTP/1.1. */
  readonly limits?: TimeLimits;
  /** If omitted, the number of open connections is unlimited. */
  readonly bounds?: PortBounds | undefined;
}

/** A server that speaks HTTP/1.1 and HTTP/2 on one port. */
export interface SharedPort {
  readonly server: Server;
  readonly connections: Connections;
  /**
   * Asks clients to close their connections, while requests are still served. HTTP/1.1 connections end with their
   * next response. HTTP/2 connections end with their streams in progress, or with the first stream of a new
   * connection.
   */
  drain(): void;
  /** Lets HTTP/2 connections finish their streams, but start no new ones. Closing the server ends HTTP/1.1. */
  closeSessions(): void;
}

/** Node's listener that converts a stream to a request. */
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

/** Idle time before TCP keep-alive probes an HTTP/2 connection, in milliseconds. */
const PROBE_MS = 60_000;

/**
 * Creates a server that speaks HTTP/1.1 and HTTP/2 on one port. With TLS, the client chooses by ALPN (RFC 7301).
 * Without TLS, the first bytes decide: HTTP/2 with prior knowledge starts with the connection preface (RFC 9113
 * §3.3).
 */
export function sharedPort({
  http,
  tls,
  handler,
  take,
  limits = LIMITS,
  bounds,
}: SharedPortOptions): SharedPort {
  /** Functions that close sessions. */
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
  if (toRequest === undefined) throw new Error("the HTTP/2 server makes no requests of its streams");
  http2.off("stream", toRequest);
  http2.on("stream", (...[stream, headers, flags, rawHeaders]: Parameters<ServeStream>) => {
    // An error of a peer ends its stream and needs no report.
    stream.on("error", () => {});
    limitTime(stream, limits);
    if (!take?.(stream, headers, rawHeaders)) toRequest.call(http2, stream, headers, flags, rawHeaders);
  });
  // An error of a peer ends its connection.
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
      // HTTP/1.1 still responds to a client that has closed its side. HTTP/2 cannot.
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

/** Recognizes HTTP/2 by the protocol in the TLS handshake. */
function byAlpn(socket: Socket, _timeout: number, chosen: (isHttp2: boolean) => void): void {
  chosen((socket as TLSSocket).alpnProtocol === "h2");
}

/** Start of the HTTP/2 preface; HTTP/1.1 has no method `PRI` (RFC 9113 §3.4). */
const PREFACE_START = Buffer.from("PRI ");

/** Recognizes HTTP/2 by the first bytes, and puts them back. */
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
 * Ends streams with a complete response but an incomplete request, such as a rejected import. Clients get some time
 * to end their request, because a reset could overtake the response. If a request continues too long, or too many
 * such streams are open, the oldest one is cancelled (RFC 9113 §8.1).
 *
 * Closing a stream with unread bytes does not end it. It would still count against the connection's stream limit, and
 * its bytes would fill the flow-control window.
 */
function endCompletedStreams(session: ServerHttp2Session): void {
  /** Oldest first. */
  const answered = new Set<ServerHttp2Stream>();
  session.on("stream", (stream) => {
    stream.once("finish", () => {
      if (stream.destroyed || stream.readableEnded) return;
      stream.removeAllListeners("data").resume();
      const timer = setTimeout(() => stream.destroy(), MAX_RESPONDED_STREAM_MS);
      answered.add(stream);
      stream.once("close", () => {
        clearTimeout(timer);
        answered.delete(stream);
      });
      const [oldest] = answered;
      if (answered.size > MAX_RESPONDED_STREAMS) oldest?.destroy();
    });
  });
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Handles pipelined requests (RFC 9112 §9.3.2) one at a time. Each starts when the client has received the previous
 * response. A client that reads no responses therefore causes only one. A connection with too many waiting requests
 * is closed.
 */
export function oneByOne(handle: Handle): Handle {
  const waiting = new WeakMap<Socket, number>();
  return (request, response) => {
    // A response gets its socket only after the previous response.
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
