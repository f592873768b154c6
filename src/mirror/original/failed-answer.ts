import { retryAfterMs } from "@waybill/client/support";
import { MAX_RETRY_AFTER_MS } from "../../limits/limits.js";
import { explanationOf } from "./explanation.js";
import type { Answer } from "./fetch-answer.js";
import { OriginalError, type OriginalFault } from "./original.js";

/** Reasons of a 403 that are about quota: they pass by themselves, and the credentials are good. */
const QUOTA = /rate_?limit|quota|RESOURCE_EXHAUSTED/i;

/**
 * Makes the error of an answer that is a failure.
 *
 * @param now time in milliseconds since the Unix epoch.
 * @param secret a text that the answer may repeat and that the error must not have.
 */
export function failureOf({ status, headers, body }: Answer, now: number, secret: string): OriginalError {
  const { message, reasons } = explanationOf(parse(body, secret));
  const fault = faultOf(status, reasons);
  const hint = status === 404 ? " (no such project or app, or another address)" : "";
  // A date is meant by the clock of the original, which may differ.
  const theirNow = Date.parse(headers.get("date") ?? "") || now;
  const waitMs = fault === "unavailable" ? (retryAfterMs(headers, theirNow) ?? 0) : 0;
  return new OriginalError(
    fault,
    `HTTP status ${status}${hint}${message === "" ? "" : `: ${message}`}`,
    waitMs > 0 ? Math.min(waitMs, MAX_RETRY_AFTER_MS) : undefined,
  );
}

function faultOf(status: number, reasons: string): OriginalFault {
  if (status === 408 || status === 429 || status >= 500) return "unavailable";
  if (status === 403 && QUOTA.test(reasons)) return "unavailable";
  return status === 401 || status === 403 ? "credentials" : "form";
}

function parse(body: Uint8Array, secret: string): unknown {
  const text = Buffer.from(body).toString();
  try {
    return JSON.parse(secret === "" ? text : text.replaceAll(secret, "…"));
  } catch {
    return undefined;
  }
}
