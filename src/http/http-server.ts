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
} from "../limits/limits.js";
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
  /** Data in which the parser stopped. */
  readonly rawPacket?: unknown;
  /** Number of bytes of that data that the parser accepted. */
  readonly bytesParsed?: number;
  readonly reason?: string;
}

/** Translates an error that Node.js found before there was a request. */
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
      // The parser uses the same code for a `Content-Length` with a `Transfer-Encoding`.
      if (!error.reason?.includes("Content-Length")) return transferCodingNotImplemented(undefined, error);
  }
  return malformedRequest(error.reason ?? "it cannot be parsed", error);
}

/** Returns true if the parser stopped in a valid request line (RFC 9112 §3): only the method is unknown. */
function isInRequestLine({ rawPacket, bytesParsed = 0 }: ParserError): boolean {
  if (!Buffer.isBuffer(rawPacket)) return false;
  const start = bytesParsed === 0 ? 0 : rawPacket.lastIndexOf("\n", bytesParsed - 1) + 1;
  const line = rawPacket.toString("latin1", start, start + MAX_TARGET_BYTES);
  return /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r?\n/.test(line);
}

/**
 * Returns true if an oversized head ends within the request target, before any space or line end after it.
 */
function isWithinTarget(packet: unknown): boolean {
  return Buffer.isBuffer(packet) && /^(?:[A-Z]+ )?[^\s]*$/.test(packet.toString("latin1"));
}

/** Sends an error on a connection that is no longer usable, and closes it after the client has read the error. */
function answerConnection(socket: Duplex, error: ApiError, errorDomain: string): void {
  // The parser reports every packet after the first bad one.
  if (!socket.writable || answerUnderWay(socket)) {
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

/** Returns true if a response on the connection has begun. Another one would corrupt it. */
function answerUnderWay(socket: Duplex & { _httpMessage?: ServerResponse | null }): boolean {
  return socket._httpMessage?.headersSent === true;
}

/** Interval of the check for overdue requests, in milliseconds. */
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
 * Handles events that Node.js does not report as requests. Requests with an `Expect` other than `100-continue` go to
 * the handler. `CONNECT` requests and malformed HTTP get an error response.
 */
export function answerSpecialCases(server: Server, handle: RequestListener, errorDomain: string): void {
  // Only the total size is limited: Node.js silently drops headers above a limit on their number.
  server.maxHeadersCount = 0;
  server.on("checkExpectation", handle);
  server.on("connect", (request, socket) => {
    const error = findHeadError(headOf(request));
    answerConnection(socket, error ?? routeNotFound(request.url ?? ""), errorDomain);
  });
  server.on("clientError", (error: ParserError, socket: Socket) => {
    if (error.code === "ECONNRESET" || socket.destroyed) return;
    answerConnection(socket, connectionError(error), errorDomain);
  });
}
