import type { IncomingMessage } from "node:http";
import { expectationFailed, headersTooLarge, malformedRequest, uriTooLong } from "./http-errors.js";

/** Most bytes of a request target. */
export const LONGEST_TARGET = 16 * 1024;

/** Most bytes of a header section, without the request line. */
export const LARGEST_HEADERS = 32 * 1024;

/** What `: ` and the line end add to each header. */
const LINE_OVERHEAD = 4;

/** @throws ApiError if the head of a request is too large or breaks a rule of HTTP that the parser leaves to others. */
export function checkRequestHead(
  { rawHeaders, headers, httpVersion }: IncomingMessage,
  target: string,
): void {
  if (target.length > LONGEST_TARGET) throw uriTooLong(LONGEST_TARGET);
  if (!isWithinLimits(rawHeaders)) throw headersTooLarge(LARGEST_HEADERS);
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
  return size <= LARGEST_HEADERS;
}
