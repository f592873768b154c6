import {
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { ApiError } from "../api/api-error.js";
import { requestTimeout } from "../api/errors.js";
import {
  MAX_BROKEN_CONNECTION_MS,
  MAX_HEAD_MS,
  MAX_HEADER_BYTES,
  MAX_IDLE_MS,
  MAX_PARSED_HEAD_BYTES,
  MAX_REQUEST_MS,
  MAX_TARGET_BYTES,
} from "../limits/request-limits.js";
import {
  errorJson,
  headersTooLarge,
  malformedRequest,
  methodNotImplemented,
  routeNotFound,
  transferCodingNotImplemented,
  uriTooLong,
} from "./errors.js";
import { findHeadError, headOf } from "./request-head.js";

/** The error in a `clientError` event of `node:http`. */
interface ParserError extends Error {
  readonly code?: string;
  /** Data that the parser received when it stopped. */
  readonly rawPacket?: unknown;
  /** Number of bytes in {@link rawPacket} that the parser accepted. */
  readonly bytesParsed?: number;
  readonly reason?: string;
}

/** Converts an error that Node.js found before the request was complete. */
function connectionError(error: ParserError): ApiError {
  switch (error.code) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return requestTimeout();
    case "HPE_HEADER_OVERFLOW":
      return isWithinTarget(error.rawPacket)
        ? uriTooLong(MAX_TARGET_BYTES)
        : headersTooLarge(MAX_HEADER_BYTES);
    case "HPE_INVALID_METHOD":
      if (isInRequestLine(error)) return methodNotImplemented(error);
      break;
    case "HPE_INVALID_TRANSFER_ENCODING":
      // The parser uses the same code for a request with both `Content-Length` and `Transfer-Encoding`.
      if (!error.reason?.includes("Content-Length")) return transferCodingNotImplemented(undefined, error);
  }
  return malformedRequest(error.reason ?? "it cannot be parsed", error);
}

/** Returns true if the parser stopped in a valid request line (RFC 9112 §3). The cause is then an unknown method. */
function isInRequestLine({ rawPacket, bytesParsed = 0 }: ParserError): boolean {
  if (!Buffer.isBuffer(rawPacket)) return false;
  const start = bytesParsed === 0 ? 0 : rawPacket.lastIndexOf("\n", bytesParsed - 1) + 1;
  const line = rawPacket.toString("latin1", start, start + MAX_TARGET_BYTES);
  return /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r?\n/.test(line);
}

/**
 * Returns true if an oversized request head ends within the request target, before any space or line end after the
 * target.
 */
function isWithinTarget(packet: unknown): boolean {
  return Buffer.isBuffer(packet) && /^(?:[A-Z]+ )?[^\s]*$/.test(packet.toString("latin1"));
}

/**
 * Sends an error on a connection that cannot be used any more, and closes the connection after the client has read the
 * error.
 */
function respondOnConnection(socket: Duplex, error: ApiError, errorDomain: string): void {
  // After a malformed packet, the parser reports every further packet too.
  if (!socket.writable || responseStarted(socket)) {
    if (!socket.writableEnded) socket.destroy();
    return;
  }
  const body = errorJson(error, errorDomain);
  const head = [
    `HTTP/1.1 ${error.httpStatus} ${STATUS_CODES[error.httpStatus]}`,
    "connection: close",
    "cache-control: private, no-cache",
    "content-type: application/json; charset=utf-8",
    `content-length: ${body.length}`,
    "x-content-type-options: nosniff",
    ...Object.entries(error.headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), body]));
  const timer = setTimeout(() => socket.destroy(), MAX_BROKEN_CONNECTION_MS);
  socket.once("close", () => clearTimeout(timer));
}

/** Returns true if a response on the connection has begun. Sending an error would corrupt it. */
function responseStarted(socket: Duplex & { _httpMessage?: ServerResponse | null }): boolean {
  return socket._httpMessage?.headersSent === true;
}

/** Interval between checks for overdue requests, in milliseconds. */
const LATE_CHECK_INTERVAL_MS = 2_000;

/** Options of all HTTP/1.1 servers. `findHeadError` checks the request heads. */
export const SERVER_OPTIONS: ServerOptions = {
  requestTimeout: MAX_REQUEST_MS,
  keepAliveTimeout: MAX_IDLE_MS,
  maxHeaderSize: MAX_PARSED_HEAD_BYTES,
  requireHostHeader: false,
  headersTimeout: MAX_HEAD_MS,
  connectionsCheckingInterval: LATE_CHECK_INTERVAL_MS,
};

/**
 * Handles events that Node.js does not report as requests. A request with another `Expect` than `100-continue` goes to
 * the normal handler. `CONNECT` requests and malformed HTTP get an error response.
 */
export function respondToSpecialCases(server: Server, handle: RequestListener, errorDomain: string): void {
  // Only the total header size has a limit. If the number of headers had one, Node.js would silently drop headers.
  server.maxHeadersCount = 0;
  server.on("checkExpectation", handle);
  server.on("connect", (request, socket) => {
    const error = findHeadError(headOf(request));
    respondOnConnection(socket, error ?? routeNotFound(request.url ?? ""), errorDomain);
  });
  server.on("clientError", (error: ParserError, socket: Socket) => {
    if (error.code === "ECONNRESET" || socket.destroyed) return;
    respondOnConnection(socket, connectionError(error), errorDomain);
  });
}
