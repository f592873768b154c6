import type { IncomingMessage } from "node:http";
import type { UniversalHandler, UniversalServerResponse } from "@connectrpc/connect/protocol";
import { unsupportedMediaType } from "../api/errors.js";
import type { AnswerFormat } from "../api/service.js";
import { methodNotAllowed } from "../http/errors.js";
import type { Protocol } from "../http/request-record.js";
import { http2Required, malformedCall } from "./errors/rpc-errors.js";

/** The path of a request target, without its query. */
export function pathOf(target: string): string {
  const end = target.indexOf("?");
  return end < 0 ? target : target.slice(0, end);
}

/** The protocol of a call, from its media type. */
export function protocolOf({ headers }: Pick<IncomingMessage, "headers">): Protocol {
  const type = headers["content-type"]?.toLowerCase() ?? "";
  if (type.startsWith("application/grpc-web")) return "grpc-web";
  return type.startsWith("application/grpc") ? "grpc" : "connect";
}

/** The format of the response to a call, which is the format of its request. */
export function formatOf({ method, url = "", headers }: IncomingMessage): AnswerFormat {
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

/** @throws ApiError if the request does not have the form of a call of the method. */
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

/** @throws ApiError if Connect rejected the form of a call with a bare 415, which names no cause. */
export function checkAccepted(
  { status }: UniversalServerResponse,
  handler: UniversalHandler,
  { method, headers }: IncomingMessage,
): void {
  if (status !== 415) return;
  if (method === "GET") throw malformedCall("its query has neither encoding=json nor encoding=proto");
  throw unsupportedMediaType(headers["content-type"], acceptedTypes(handler));
}

function acceptedTypes({ method: { methodKind } }: UniversalHandler): string {
  return ACCEPTED_TYPES[methodKind === "unary" ? "unary" : "streaming"];
}
