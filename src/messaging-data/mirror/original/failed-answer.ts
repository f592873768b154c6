import { MAX_EXCERPT, MAX_ORIGINAL_RETRY_AFTER_MS } from "../../../limits/limits.js";
import { retryAfterMs } from "../../outgoing/retry-after.js";
import { printable } from "../../printable.js";
import type { Answer } from "./fetch-answer.js";
import { OriginalError, type OriginalFault } from "./original.js";
import { isJsonObject } from "./page/known-fields.js";

/** Reasons of a 403 that are about quota: they pass by themselves, and the credentials are good. */
const QUOTA = /rate_?limit|quota|RESOURCE_EXHAUSTED/i;

/**
 * Makes the error of an answer that is a failure.
 *
 * @param now time in milliseconds since the Unix epoch.
 * @param secret a text that the answer may repeat and that the error must not have.
 */
export function failureOf({ status, headers, body }: Answer, now: number, secret: string): OriginalError {
  const { message, reasons } = explanationOf(body);
  const fault = faultOf(status, reasons);
  const hint = status === 404 ? " (no such app, or another address)" : "";
  const safe = secret === "" ? message : message.replaceAll(secret, "…");
  const said = safe === "" ? "" : `: ${printable(safe, MAX_EXCERPT)}`;
  const waitMs = fault === "unavailable" ? retryAfterMs(headers, now) : 0;
  return new OriginalError(
    fault,
    `HTTP status ${status}${hint}${said}`,
    waitMs > 0 ? Math.min(waitMs, MAX_ORIGINAL_RETRY_AFTER_MS) : undefined,
  );
}

function faultOf(status: number, reasons: string): OriginalFault {
  if (status === 408 || status === 429 || status >= 500) return "unavailable";
  if (status === 403 && QUOTA.test(reasons)) return "unavailable";
  return status === 401 || status === 403 ? "credentials" : "form";
}

/** Reads an error of the form of AIP-193, or of OAuth 2.0 (RFC 6749 §5.2); of anything else, nothing. */
function explanationOf(body: Uint8Array): { message: string; reasons: string } {
  const { error, error_description } = Object(parse(body)) as Record<string, unknown>;
  if (!isJsonObject(error)) return { message: textOf(error_description) || textOf(error), reasons: "" };
  const { message, status, details, errors } = error;
  const reasons = [details, errors].flatMap((list) => (Array.isArray(list) ? list : []));
  const named = reasons.map((reason) => textOf(Object(reason).reason));
  return { message: textOf(message), reasons: [textOf(status), ...named].join(" ") };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch {
    return undefined;
  }
}
