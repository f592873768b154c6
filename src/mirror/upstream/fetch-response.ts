import { readBody, retryAfterMs } from "@waybill/client/support";
import { printable } from "../../limits/excerpt.js";
import { MAX_EXCERPT, MAX_RETRY_AFTER_MS } from "../../limits/limits.js";
import { faultCode, withinTime } from "../../outgoing/requests.js";
import { isJsonObject } from "./known-fields.js";
import { UpstreamError, type UpstreamFault } from "./upstream.js";

/** A response over HTTP, whatever its status. */
export interface UpstreamResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Unpacked; of a failure, only its beginning. */
  readonly body: Uint8Array;
}

/** Limits of a response. */
export interface ResponseLimits {
  /** Longest body, unpacked, in bytes. */
  readonly responseBytes: number;
  /** Longest time without a byte, in milliseconds. */
  readonly silenceMs: number;
  /** Longest time for the whole response, in milliseconds. */
  readonly responseMs: number;
}

/** Longest beginning of the body of a failure that is read, in bytes. */
const MAX_FAILURE_BYTES = 64 * 1024;

/**
 * Reads an address, without following redirects.
 *
 * @throws UpstreamError if there is no response, if it is cut short, too slow or too long. Otherwise the reason of `signal`
 *   once it has aborted.
 */
export async function fetchResponse(
  url: URL,
  headers: Headers,
  { responseBytes, silenceMs, responseMs }: ResponseLimits,
  signal: AbortSignal,
): Promise<UpstreamResponse> {
  const late = new UpstreamError("unavailable", "it took too long for an answer");
  const silent = new UpstreamError("unavailable", "it sent nothing for too long");
  try {
    // Without the longer time, a byte now and then would hold the mirror of the app for ever.
    return await withinTime(responseMs, late, signal, (whole) =>
      withinTime(silenceMs, silent, whole, async (ending, onByte) => {
        const response = await fetch(url, { headers, redirect: "manual", signal: ending });
        const { status, ok } = response;
        onByte();
        const { bytes, isWhole } = await readBody(response, ok ? responseBytes : MAX_FAILURE_BYTES, onByte);
        if (ok && !isWhole)
          throw new UpstreamError("form", `the answer is longer than ${responseBytes} bytes`);
        return { status, headers: response.headers, body: bytes };
      }),
    );
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof UpstreamError ? error : connectionError(faultCode(error));
  }
}

/** zlib's codes, such as `Z_DATA_ERROR`, are of bodies that cannot be unpacked. */
const connectionError = (code: string): UpstreamError =>
  code.startsWith("Z_")
    ? new UpstreamError("form", `the answer cannot be unpacked: ${code}`)
    : new UpstreamError("unavailable", `the connection failed: ${code}`);

/** Reasons of a 403 that are about quota: they pass by themselves, and the credentials are good. */
const QUOTA = /rate_?limit|quota|RESOURCE_EXHAUSTED/i;

/**
 * Makes the error of a response that is a failure.
 *
 * @param now time in milliseconds since the Unix epoch.
 * @param secret text that the response may repeat, and that the error must not have.
 */
export function failureOf(
  { status, headers, body }: UpstreamResponse,
  now: number,
  secret: string,
): UpstreamError {
  const { message, reasons } = explanationOf(parse(body, secret));
  const fault = faultOf(status, reasons);
  const hint = status === 404 ? " (no such project or app, or another address)" : "";
  // Its dates follow its own clock.
  const theirNow = Date.parse(headers.get("date") ?? "") || now;
  const waitMs = fault === "unavailable" ? (retryAfterMs(headers, theirNow) ?? 0) : 0;
  return new UpstreamError(
    fault,
    `HTTP status ${status}${hint}${message === "" ? "" : `: ${message}`}`,
    waitMs > 0 ? Math.min(waitMs, MAX_RETRY_AFTER_MS) : undefined,
  );
}

function faultOf(status: number, reasons: string): UpstreamFault {
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

/** The explanation in the body of a failure. */
export interface Explanation {
  /** One printable line without tokens; empty if there is nothing that can be understood. */
  readonly message: string;
  /** The names of reasons, separated by spaces. */
  readonly reasons: string;
}

/** A JWT (RFC 7519), or an access token of Google: services repeat the tokens that they reject. */
const TOKENS = /\b(?:eyJ|ya29\.)[\w.-]+/g;

/**
 * Reads the error of a service (AIP-193) or of a token endpoint (RFC 6749 §5.2).
 *
 * @param json parsed body of a response: any value.
 */
export function explanationOf(json: unknown): Explanation {
  const { error, error_description } = Object(json) as Record<string, unknown>;
  if (!isJsonObject(error)) return { message: lineOf([error, error_description]), reasons: "" };
  const { message, status, details, errors } = error;
  const causes = [details, errors].flatMap((list) => (Array.isArray(list) ? list : []));
  const reasons = [status, ...causes.map((cause) => Object(cause).reason)];
  return { message: lineOf([message]), reasons: reasons.filter(isText).join(" ") };
}

const lineOf = (parts: readonly unknown[]): string =>
  printable(parts.filter(isText).join(": ").replace(TOKENS, "…"), MAX_EXCERPT);

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
