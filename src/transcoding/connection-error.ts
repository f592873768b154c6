import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { MAX_BROKEN_CONNECTION_MS, MAX_HEADER_BYTES, MAX_TARGET_BYTES } from "../limits/limits.js";
import type { ApiError } from "./api-error.js";
import { errorJson } from "./error-json.js";
import { headersTooLarge, malformedRequest, requestTimeout, uriTooLong } from "./http-errors.js";

/** What `clientError` of `node:http` brings along. */
export interface ParserError extends Error {
  readonly code?: string;
  /** The data in which the parser stopped. */
  readonly rawPacket?: unknown;
  readonly reason?: string;
}

/** What the caller is told when the server found a fault before there was a request. */
export function connectionError(error: ParserError): ApiError {
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") return requestTimeout();
  if (error.code !== "HPE_HEADER_OVERFLOW")
    return malformedRequest(error.reason ?? "it cannot be parsed", error);
  return isWithinTarget(error.rawPacket) ? uriTooLong(MAX_TARGET_BYTES) : headersTooLarge(MAX_HEADER_BYTES);
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
