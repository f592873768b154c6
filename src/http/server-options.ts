import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { MAX_HEAD_MS, MAX_IDLE_MS, MAX_PARSED_HEAD_BYTES, MAX_REQUEST_MS } from "../limits/limits.js";
import { answerConnection, connectionError, type ParserError } from "./connection-error.js";

/** Interval of the check for late requests, in milliseconds. */
const LATE_CHECK_INTERVAL_MS = 2_000;

/**
 * The Fastify options that `registerTranscoding` relies on; spread them into those of the application. They
 * leave routing to it, and answer errors that occur before there is a request in the same form as all others.
 */
export function transcodingServerOptions(errorDomain: string) {
  return {
    // All requests go to the only route; `request.originalUrl` has the target that the caller wrote.
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

/** Creates a generator of request ids that are unique among all processes: a random prefix with a counter. */
export function requestIds(): () => string {
  const prefix = randomBytes(9).toString("base64url");
  let count = 0;
  return () => `${prefix}-${(count++).toString(36)}`;
}
