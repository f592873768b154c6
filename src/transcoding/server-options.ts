import type { Socket } from "node:net";
import { answerConnection, connectionError, type ParserError } from "./connection-error.js";
import { requestIds } from "./request-id.js";

/**
 * The parser's own limit, in bytes. It lies far above those of this package, so that a URL or a header that is too long
 * can be told from each other and answered in order.
 */
const PARSER_LIMIT = 256 * 1024;

/** A request must have arrived after so long. */
export const REQUEST_TIMEOUT_MS = 300_000;

/** The head of a request must have arrived after so long: nobody has a reason to send it slowly. */
export const HEAD_TIMEOUT_MS = 20_000;

/** A connection on which nothing happens for so long is closed. */
export const KEEP_ALIVE_MS = 72_000;

/** So often it is looked for requests that are late. */
const LATE_CHECK_INTERVAL_MS = 2_000;

/**
 * The options of Fastify that `registerTranscoding` relies on: routing is left to it, and what fails before there is a
 * request is answered as every other failure is. Spread them into those of the application.
 */
export function transcodingServerOptions(errorDomain: string) {
  return {
    // Every request is for the one route there is; `request.originalUrl` has what the caller wrote.
    rewriteUrl: () => "/",
    routerOptions: { querystringParser: () => ({}) },
    genReqId: requestIds(),
    return503OnClosing: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: {
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: PARSER_LIMIT,
      requireHostHeader: false,
      headersTimeout: HEAD_TIMEOUT_MS,
      connectionsCheckingInterval: LATE_CHECK_INTERVAL_MS,
    },
    clientErrorHandler(error: ParserError, socket: Socket): void {
      if (error.code === "ECONNRESET" || socket.destroyed) return;
      answerConnection(socket, connectionError(error), errorDomain);
    },
  };
}
