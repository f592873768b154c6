import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { answerConnection, connectionError, type ParserError } from "./connection-error.js";

/**
 * The parser's own limit, in bytes. It lies far above those of this package, so that a URL or a header that is too long
 * can be told from each other and answered in order.
 */
const PARSER_LIMIT = 256 * 1024;

/** A request must have arrived after so long. */
const REQUEST_TIMEOUT_MS = 300_000;

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
    http: { maxHeaderSize: PARSER_LIMIT, requireHostHeader: false },
    clientErrorHandler(error: ParserError, socket: Socket): void {
      if (error.code === "ECONNRESET" || socket.destroyed) return;
      answerConnection(socket, connectionError(error), errorDomain);
    },
  };
}

/** Makes ids that no other process makes, at the cost of counting. */
function requestIds(): () => string {
  const prefix = randomBytes(9).toString("base64url");
  let count = 0;
  return () => `${prefix}-${(count++).toString(36)}`;
}
