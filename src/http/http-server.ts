import type { RequestListener, Server, ServerOptions } from "node:http";
import type { Socket } from "node:net";
import { MAX_HEAD_MS, MAX_IDLE_MS, MAX_PARSED_HEAD_BYTES, MAX_REQUEST_MS } from "../limits/limits.js";
import { answerConnection, connectionError, type ParserError } from "./connection-error.js";
import { findHeadError, headOf } from "./request-head.js";
import { routeNotFound } from "./route-errors.js";

/** Interval of the check for late requests, in milliseconds. */
const LATE_CHECK_INTERVAL_MS = 2_000;

/** Options of all HTTP/1.1 servers. They leave the checks of heads to `findHeadError`. */
export const SERVER_OPTIONS: ServerOptions = {
  requestTimeout: MAX_REQUEST_MS,
  keepAliveTimeout: MAX_IDLE_MS,
  maxHeaderSize: MAX_PARSED_HEAD_BYTES,
  requireHostHeader: false,
  headersTimeout: MAX_HEAD_MS,
  connectionsCheckingInterval: LATE_CHECK_INTERVAL_MS,
};

/**
 * Answers what Node.js does not report as a request to a server. A request with an `Expect` other than
 * `100-continue` goes to the handler. Tunnels, and bytes that are not HTTP, get errors in the form of all
 * others.
 */
export function answerSpecialCases(server: Server, handle: RequestListener, errorDomain: string): void {
  // The limit is on the size of all headers. A limit on their number would drop the excess silently.
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
