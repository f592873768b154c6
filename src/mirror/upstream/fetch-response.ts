import { promisify } from "node:util";
import { constants, gunzip, type ZlibOptions } from "node:zlib";
import { type ReadBody, readBody, retryAfterMs } from "@waybill/client/support";
import { MAX_RETRY_AFTER_MS } from "../../limits/data-limits.js";
import { printable } from "../../limits/excerpt.js";
import { MAX_EXCERPT } from "../../limits/request-limits.js";
import { errorCode, withinTime } from "../../outgoing/requests.js";
import { isJsonObject } from "./known-fields.js";
import { UpstreamError, type UpstreamErrorKind } from "./upstream.js";

/** An HTTP response with any status. */
export interface UpstreamResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Decompressed body. If the request failed, only the body's beginning. */
  readonly body: Uint8Array;
  /** The body as received, if it is complete gzip and shorter than the decompressed body. */
  readonly gzip?: Uint8Array | undefined;
}

type UnpackedBody = Pick<UpstreamResponse, "body" | "gzip">;

export interface ResponseLimits {
  /** Maximum size of the decompressed body, in bytes. */
  readonly responseBytes: number;
  /** Maximum time without new data, in milliseconds. */
  readonly silenceMs: number;
  /** Maximum time for the whole response, in milliseconds. */
  readonly responseMs: number;
}

/** Number of bytes to read from a failed response's body. */
const MAX_FAILURE_BYTES = 64 * 1024;
/** Maximum size of a failed response's decompressed body, in bytes. */
const MAX_UNPACKED_FAILURE_BYTES = 1024 * 1024;

/**
 * Sends a GET request. Does not follow redirects.
 *
 * @throws UpstreamError if there is no response, or the response is incomplete, too slow or too long; the abort reason
 * of `signal`.
 */
export async function fetchResponse(
  url: URL,
  headers: Headers,
  { responseBytes, silenceMs, responseMs }: ResponseLimits,
  signal: AbortSignal,
): Promise<UpstreamResponse> {
  const late = new UpstreamError("unavailable", "the response timed out");
  const silent = new UpstreamError("unavailable", "no data arrived in time");
  try {
    // The limit on time without data does not suffice: a server that sends a byte now and then would block the app's
    // mirror forever.
    return await withinTime(responseMs, late, signal, (whole) =>
      withinTime(silenceMs, silent, whole, async (ending, onByte) => {
        const sent = new Headers(headers);
        sent.set("accept-encoding", "gzip");
        // Loaded only when it is needed: `fetch` then also uses the connections of undici.
        const { receive } = await import("../../outgoing/received-response.js");
        const response = await receive(url, sent, ending);
        const { status, headers: received } = response;
        onByte();
        const isSuccess = status >= 200 && status <= 299;
        const read = await readBody(response, isSuccess ? responseBytes : MAX_FAILURE_BYTES, onByte);
        const coding = received.get("content-encoding")?.toLowerCase() || "identity";
        const unpacked = isSuccess ? unpackedPage(read, coding, responseBytes) : unpackedStart(read, coding);
        return { status, headers: received, ...(await unpacked) };
      }),
    );
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof UpstreamError ? error : connectionError(errorCode(error));
  }
}

/** Names of gzip in `Content-Encoding` (RFC 9110 §8.4.1.3). */
const GZIP = new Set(["gzip", "x-gzip"]);

/** Memory for a part of a decompressed body, in bytes. Usually, a page needs only one part. */
const UNPACKED_PART_BYTES = 512 * 1024;

const gunzipAsync: (bytes: Uint8Array, options: ZlibOptions) => Promise<Uint8Array> = promisify(gunzip);

/**
 * Decompresses gzip.
 *
 * @param finishFlush `Z_FINISH` to reject incomplete gzip with `Z_BUF_ERROR`, or `Z_SYNC_FLUSH` to accept it.
 */
const unpack = (bytes: Uint8Array, maxOutputLength: number, finishFlush: number): Promise<Uint8Array> =>
  gunzipAsync(bytes, { finishFlush, chunkSize: UNPACKED_PART_BYTES, maxOutputLength });

/**
 * Decompresses a body. If gzip ends early, returns the part that can be decompressed.
 *
 * @throws UpstreamError if it is too long or has another coding; errors of zlib.
 */
async function unpackedPage(
  { bytes, isWhole }: ReadBody,
  coding: string,
  maxBytes: number,
): Promise<UnpackedBody> {
  const tooLong = new UpstreamError("form", `the response is longer than ${maxBytes} bytes`);
  if (!isWhole) throw tooLong;
  if (coding === "identity") return { body: bytes };
  if (!GZIP.has(coding)) {
    throw new UpstreamError("form", `the response has an unknown Content-Encoding: ${printable(coding)}`);
  }
  const unpackAll = (finishFlush: number): Promise<Uint8Array> =>
    unpack(bytes, maxBytes, finishFlush).catch((error: unknown) => {
      throw errorCode(error) === "ERR_BUFFER_TOO_LARGE" ? tooLong : error;
    });
  try {
    const body = await unpackAll(constants.Z_FINISH);
    return { body, gzip: bytes.length < body.length ? bytes : undefined };
  } catch (error) {
    if (errorCode(error) !== "Z_BUF_ERROR") throw error;
    return { body: await unpackAll(constants.Z_SYNC_FLUSH) };
  }
}

/** Decompresses a failed response's beginning. Returns an empty array if it cannot be decompressed. */
async function unpackedStart({ bytes }: ReadBody, coding: string): Promise<UnpackedBody> {
  if (!GZIP.has(coding)) return { body: bytes };
  const unpacked = unpack(bytes, MAX_UNPACKED_FAILURE_BYTES, constants.Z_SYNC_FLUSH);
  return { body: await unpacked.catch(() => new Uint8Array()) };
}

/** Error codes of zlib, such as `Z_DATA_ERROR`, mean that the body cannot be decompressed. */
const connectionError = (code: string): UpstreamError =>
  code.startsWith("Z_")
    ? new UpstreamError("form", `the response cannot be decompressed: ${code}`)
    : new UpstreamError("unavailable", `the connection failed: ${code}`);

/**
 * Matches error reasons of a 403 response that are about quota. Such a failure is temporary, and the credentials are
 * valid.
 */
const QUOTA = /rate_?limit|quota|RESOURCE_EXHAUSTED/i;

/**
 * Returns the error for a failed response.
 *
 * @param now current time, in milliseconds since the Unix epoch.
 * @param secret text that the response may contain, and that must not be part of the error.
 */
export function failureOf(
  { status, headers, body }: UpstreamResponse,
  now: number,
  secret: string,
): UpstreamError {
  const { message, reasons } = explanationOf(parse(body, secret));
  const kind = kindOf(status, reasons);
  const hint = status === 404 ? " (no such project or app, or another address)" : "";
  // A date in the response refers to upstream's clock.
  const theirNow = Date.parse(headers.get("date") ?? "") || now;
  const waitMs = kind === "unavailable" ? (retryAfterMs(headers, theirNow) ?? 0) : 0;
  return new UpstreamError(
    kind,
    `HTTP status ${status}${hint}${message === "" ? "" : `: ${message}`}`,
    waitMs > 0 ? Math.min(waitMs, MAX_RETRY_AFTER_MS) : undefined,
  );
}

function kindOf(status: number, reasons: string): UpstreamErrorKind {
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

export interface Explanation {
  /** The explanation in one line of printable characters, without tokens. Empty if the body has an unknown format. */
  readonly message: string;
  /** Names of the error reasons, separated by spaces. */
  readonly reasons: string;
}

/** Matches JWTs (RFC 7519) and Google access tokens, because some services repeat a rejected token in the response. */
const TOKENS = /\b(?:eyJ|ya29\.)[\w.-]+/g;

/**
 * Reads the error in a response of a service (AIP-193) or of a token endpoint (RFC 6749 §5.2).
 *
 * @param json parsed body, of any type.
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
