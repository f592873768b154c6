import type { IncomingMessage, ServerResponse } from "node:http";
import { constants } from "node:http2";
import type { ApiError } from "../../api/api-error.js";
import { type ContentCoding, EncodedEntity, JSON_TYPE } from "../../api/encoded-response.js";
import type { PlainResponse, StreamedBody } from "../../api/plain-route.js";
import { failedPrecondition, type Preconditions } from "../../api/preconditions.js";
import type { Release } from "../../limits/budget.js";
import { discardBody, isUnread } from "../bodies/request-body.js";
import { errorJson } from "../errors.js";
import { isOverriddenGet } from "../method-override.js";
import { isGone, responseSignal } from "../peer.js";
import type { RequestRecord } from "../request-record.js";
import { negotiateCoding } from "./accept-encoding.js";
import { handOver, handOverPart, leave } from "./hand-over.js";
import { preconditionFailed, responseBacklogExceeded } from "./response-errors.js";

/** Minimum size of a compressed body, in bytes. */
const MIN_COMPRESSED_BYTES = 1024;

/** Alternating header names and values, for `ServerResponse.writeHead`. */
type HeaderList = (string | number)[];

/** Returns response headers. By default, clients may store a response but must revalidate it before each use. */
function headersOf(own: Readonly<Record<string, string>> | undefined): HeaderList {
  if (own === undefined) return ["cache-control", "private, no-cache"];
  return Object.entries({ "cache-control": "private, no-cache", ...own }).flat();
}

export interface Exchange<A> {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly record: RequestRecord<A>;
  readonly preconditions: Preconditions;
}

/**
 * Sends a response. For reads, checks the request preconditions first (RFC 9110 §13.2).
 *
 * @returns the sent HTTP status.
 * @throws ApiError 412, or 503 if the caller has too many unread responses. Nothing is sent then. Also throws errors of
 * streamed bodies.
 */
export function sendResponse<A>(
  exchange: Exchange<A>,
  { body: entity, status = 200, headers: own }: PlainResponse,
): number | Promise<number> {
  const { request, response } = exchange;
  const headers = headersOf(own);
  if ("pieces" in entity) return sendPieces(exchange, status, headers, entity);
  const isEntity = entity instanceof EncodedEntity;
  const isRead =
    status === 200 && (request.method === "GET" || request.method === "HEAD" || isOverriddenGet(request));
  const failed = isRead
    ? failedPrecondition(exchange.preconditions, isEntity ? [entity.etag] : [])
    : undefined;
  if (failed === "If-Match") throw preconditionFailed(failed);
  const coding = isEntity ? codingFor(entity, request) : undefined;
  if (isEntity) {
    // An earlier `Vary` header, for example for CORS, stays in the response.
    const others = response.getHeader("vary");
    headers.push("vary", others === undefined ? "accept-encoding" : `${others}, accept-encoding`);
    if (isRead) headers.push("etag", entity.etagOf(coding));
  }
  if (failed === "If-None-Match") return send(exchange, 304, headers, undefined);
  headers.push("content-type", entity.contentType || "application/octet-stream");
  if (!isEntity) return sendHeld(exchange, status, headers, Buffer.from(entity.data));
  if (coding === undefined) return sendHeld(exchange, status, headers, entity.bytes);
  headers.push("content-encoding", coding);
  return sendCompressed(exchange, status, headers, entity, coding);
}

async function sendCompressed<A>(
  exchange: Exchange<A>,
  status: number,
  headers: HeaderList,
  entity: EncodedEntity,
  coding: ContentCoding,
): Promise<number> {
  const { response, record } = exchange;
  if (!entity.isCompressed(coding)) await record.share.waitForSlot(responseSignal(response));
  return sendHeld(exchange, status, headers, await entity.compressed(coding));
}

function codingFor({ bytes }: EncodedEntity, { headers }: IncomingMessage): ContentCoding | undefined {
  return bytes.length < MIN_COMPRESSED_BYTES ? undefined : negotiateCoding(headers["accept-encoding"]);
}

async function sendPieces<A>(
  { request, response, record }: Exchange<A>,
  status: number,
  headers: HeaderList,
  { contentType, pieces, stallMs = record.share.stallMs }: StreamedBody,
): Promise<number> {
  headers.push("content-type", contentType, "x-content-type-options", "nosniff");
  headers.push("x-request-id", record.requestId);
  response.writeHead(status, headers as string[]);
  request.resume();
  response.flushHeaders();
  if (request.method !== "HEAD") {
    for await (const piece of whileConnected(response, pieces)) {
      await handOverPart(response, piece, { stallMs });
    }
  }
  handOver(response, undefined, { stallMs });
  return status;
}

/**
 * Passes on pieces until the client disconnects. Then ends immediately, even if the next piece is never available.
 */
async function* whileConnected(
  response: ServerResponse,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const reader = pieces[Symbol.asyncIterator]();
  let stop = (): void => {};
  response.once("close", () => stop());
  const next = (): Promise<IteratorResult<Uint8Array> | undefined> =>
    new Promise((resolve, reject) => {
      stop = () => resolve(undefined);
      reader.next().then(resolve, reject);
    });
  try {
    while (!isGone(response)) {
      const result = await next();
      if (result === undefined || result.done) return;
      yield result.value;
    }
  } finally {
    // Waits for the next piece if one is in progress.
    reader.return?.().catch(() => {});
  }
}

/**
 * Sends an error as JSON. If the response has already started, closes its connection instead, which shows the client that
 * the response is incomplete.
 *
 * @returns the error's HTTP status.
 */
export function sendError<A>(exchange: Exchange<A>, error: ApiError, errorDomain: string): number {
  if (exchange.response.headersSent) {
    leave(exchange.response, constants.NGHTTP2_INTERNAL_ERROR);
    return error.httpStatus;
  }
  const body = errorJson(error, errorDomain);
  const release = exchange.record.share.hold(body);
  // The error is too small to be counted as unread.
  if (release === undefined) return sendError(exchange, responseBacklogExceeded(), errorDomain);
  const headers = headersOf(error.headers);
  headers.push("content-type", JSON_TYPE);
  return send(exchange, error.httpStatus, headers, body, release);
}

function sendHeld<A>(
  exchange: Exchange<A>,
  status: number,
  headers: HeaderList,
  body: Buffer,
): number | Promise<number> {
  const sendWith = (release: Release): number => send(exchange, status, headers, body, release);
  const holding = exchange.record.share.holdResponse(body, () => responseSignal(exchange.response));
  return holding instanceof Promise ? holding.then(sendWith) : sendWith(holding);
}

function send<A>(
  { request, response, record }: Exchange<A>,
  status: number,
  headers: HeaderList,
  body: Buffer | undefined,
  release?: Release,
): number {
  const { stallMs } = record.share;
  const sent = request.method === "HEAD" ? undefined : body;
  headers.push("x-content-type-options", "nosniff", "x-request-id", record.requestId);
  if (body !== undefined) headers.push("content-length", body.length);
  response.writeHead(status, headers as string[]);
  if (isUnread(request)) {
    // Sends the response now. The exchange ends later, when the client has sent its whole request.
    if (sent === undefined) response.flushHeaders();
    else response.write(sent);
    discardBody(request, () => handOver(response, undefined, { release, stallMs }));
  } else {
    handOver(response, sent, { release, stallMs });
  }
  return status;
}
