import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { MAX_HEAD_MS, MAX_IDLE_MS, MAX_PARSED_HEAD_BYTES, MAX_REQUEST_MS } from "../limits/limits.js";
import { answerConnection, connectionError, type ParserError } from "./connection-error.js";

/** Time between two looks for requests that are late. */
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
    requestTimeout: MAX_REQUEST_MS,
    http: {
      requestTimeout: MAX_REQUEST_MS,
      keepAliveTimeout: MAX_IDLE_MS,
      maxHeaderSize: MAX_PARSED_HEAD_BYTES,
      requireHostHeader: false,
      headersTimeout: MAX_HEAD_MS,
      connectionsCheckingInterval: LATE_CHECK_INTERVAL_MS,
    },
    clientErrorHandler(error: ParserError, socket: Socket): void {
      if (error.code === "ECONNRESET" || socket.destroyed) return;
      answerConnection(socket, connectionError(error), errorDomain);
    },
  };
}

/** Makes a maker of ids that no other process makes, at the cost of counting. */
export function requestIds(): () => string {
  const prefix = randomBytes(9).toString("base64url");
  let count = 0;
  return () => `${prefix}-${(count++).toString(36)}`;
}
