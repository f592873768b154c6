import type { IncomingMessage } from "node:http";
import type { UniversalHandler, UniversalServerResponse } from "@connectrpc/connect/protocol";
import { unsupportedMediaType } from "../api/errors.js";
import type { ResponseFormat } from "../api/service.js";
import { methodNotAllowed } from "../http/errors.js";
import type { Protocol } from "../http/request-record.js";
import { http2Required, malformedCall } from "./errors/rpc-errors.js";

/** Returns a request target's path, without the query. */
export function pathOf(target: string): string {
  const end = target.indexOf("?");
  return end < 0 ? target : target.slice(0, end);
}

/** Returns a call's protocol, which its media type determines. */
export function protocolOf({ headers }: Pick<IncomingMessage, "headers">): Protocol {
  const type = headers["content-type"]?.toLowerCase() ?? "";
  if (type.startsWith("application/grpc-web")) return "grpc-web";
  return type.startsWith("application/grpc") ? "grpc" : "connect";
}

/** Returns a call's format, which applies to both request and response. */
export function formatOf({ method, url = "", headers }: IncomingMessage): ResponseFormat {
  const text =
    method === "GET"
      ? new URLSearchParams(url.slice(pathOf(url).length)).get("encoding")
      : headers["content-type"];
  return /json/i.test(text ?? "") ? "json" : "binary";
}

const ACCEPTED_TYPES = {
  unary: "application/json, application/proto, application/grpc or application/grpc-web",
  streaming: "application/connect+json, application/connect+proto, application/grpc or application/grpc-web",
} as const;

/** Checks a request. @throws ApiError if the request is not a valid call of the method. */
export function checkForm(
  handler: UniversalHandler,
  { method = "", url = "", headers, httpVersionMajor }: IncomingMessage,
): void {
  const { allowedMethods, supportedContentType } = handler;
  if (!allowedMethods.includes(method)) throw methodNotAllowed(method, pathOf(url), allowedMethods);
  const contentType = headers["content-type"];
  if (method === "POST" && !supportedContentType(contentType ?? "")) {
    throw unsupportedMediaType(contentType, acceptedTypes(handler));
  }
  if (handler.method.methodKind === "bidi_streaming" && httpVersionMajor < 2) throw http2Required();
}

/** Replaces the status 415 from Connect, which has no explanation. @throws ApiError if the response has this status. */
export function checkAccepted(
  { status }: UniversalServerResponse,
  handler: UniversalHandler,
  { method, headers }: IncomingMessage,
): void {
  if (status !== 415) return;
  if (method === "GET") throw malformedCall("its query needs encoding=json or encoding=proto");
  throw unsupportedMediaType(headers["content-type"], acceptedTypes(handler));
}

function acceptedTypes({ method: { methodKind } }: UniversalHandler): string {
  return ACCEPTED_TYPES[methodKind === "unary" ? "unary" : "streaming"];
}
