import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { ApiError } from "../api/api-error.js";
import {
  headersTooLarge,
  malformedRequest,
  methodNotImplemented,
  requestTimeout,
  transferCodingNotImplemented,
  uriTooLong,
} from "../api/http-errors.js";
import { MAX_BROKEN_CONNECTION_MS, MAX_HEADER_BYTES, MAX_TARGET_BYTES } from "../limits/limits.js";
import { errorJson } from "./error-json.js";

/** What `clientError` of `node:http` brings along. */
export interface ParserError extends Error {
  readonly code?: string;
  /** The data in which the parser stopped. */
  readonly rawPacket?: unknown;
  /** How much of that it took. */
  readonly bytesParsed?: number;
  readonly reason?: string;
}

/** What the caller is told when the server found a fault before there was a request. */
export function connectionError(error: ParserError): ApiError {
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
      // The parser has the same code for a length beside it.
      if (!error.reason?.includes("Content-Length")) return transferCodingNotImplemented(undefined, error);
  }
  return malformedRequest(error.reason ?? "it cannot be parsed", error);
}

/** Whether the parser stopped in a line that is that of a request (RFC 9112 §3), whose method is a token. */
function isInRequestLine({ rawPacket, bytesParsed = 0 }: ParserError): boolean {
  if (!Buffer.isBuffer(rawPacket)) return false;
  const start = bytesParsed === 0 ? 0 : rawPacket.lastIndexOf("\n", bytesParsed - 1) + 1;
  const line = rawPacket.toString("latin1", start, start + MAX_TARGET_BYTES);
  return /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r?\n/.test(line);
}

/** Whether data of an over-long head is of the request target: that has neither spaces nor line ends within. */
function isWithinTarget(packet: unknown): boolean {
  return Buffer.isBuffer(packet) && /^(?:[A-Z]+ )?[^\s]*$/.test(packet.toString("latin1"));
}

/** Answers on a connection that cannot be used any more, and closes it once the client has read the answer. */
export function answerConnection(socket: Duplex, error: ApiError, errorDomain: string): void {
  // The parser complains about every packet that follows the first bad one.
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

/** Whether the answer to a request of the connection has begun, so that another would end up in its middle. */
function answerUnderWay(socket: Duplex & { _httpMessage?: ServerResponse | null }): boolean {
  return socket._httpMessage?.headersSent === true;
}
