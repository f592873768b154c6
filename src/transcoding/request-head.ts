import type { IncomingMessage } from "node:http";
import { MAX_HEADER_BYTES, MAX_TARGET_BYTES } from "../limits/limits.js";
import { expectationFailed, headersTooLarge, malformedRequest, uriTooLong } from "./http-errors.js";

/** What `: ` and the line end add to each header. */
const LINE_OVERHEAD = 4;

/** @throws ApiError if the head of a request is too large or breaks a rule of HTTP that the parser leaves to others. */
export function checkRequestHead(
  { rawHeaders, headers, httpVersion }: IncomingMessage,
  target: string,
): void {
  if (target.length > MAX_TARGET_BYTES) throw uriTooLong(MAX_TARGET_BYTES);
  if (!isWithinLimits(rawHeaders)) throw headersTooLarge(MAX_HEADER_BYTES);
  // RFC 9112 §3.2
  if (headers.host === undefined && httpVersion === "1.1") throw malformedRequest("there is no Host header");
  // RFC 9110 §10.1.1; the server has answered a 100-continue already.
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== "100-continue") {
    throw expectationFailed(headers.expect);
  }
}

/** Whether a header section, names and values in turn, is not too large. */
export function isWithinLimits(rawHeaders: readonly string[]): boolean {
  let size = (rawHeaders.length / 2) * LINE_OVERHEAD;
  for (const text of rawHeaders) size += text.length;
  return size <= MAX_HEADER_BYTES;
}
