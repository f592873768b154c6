import { createHmac } from "node:crypto";
import { retryAfterMs } from "@waybill/client/support";
import { MAX_WEBHOOK_MS } from "../../limits/data-limits.js";
import { errorCode, sendRequest, withinTime } from "../../outgoing/requests.js";
import type { WebhookMessage } from "./notified-incident.js";

/** A URL that receives messages. */
export interface WebhookAddress {
  readonly url: string;
  /** Returns the signing keys. Called for each attempt, because the secret file may be replaced. */
  readonly keys: () => Promise<readonly Buffer[]>;
}

export interface FailedAttempt {
  /** Description of the error, without any part of the URL, the message or the response. */
  readonly problem: string;
  /** `Retry-After` in milliseconds; 0 without one. */
  readonly retryAfterMs: number;
  /** True if the address can have received the message, because there was no response. */
  readonly isUncertain: boolean;
  /** Set if the address accepts no further messages (HTTP 410, Standard Webhooks). */
  readonly isGone?: true;
}

const GONE = 410;

/** Error codes of requests without a usable response. Such a request may have arrived. */
const UNCERTAIN = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "UND_ERR_HEADERS_OVERFLOW"]);

/**
 * Sends a message once. It is delivered if the response has a status of 2xx. The response body is not read. A redirect
 * is a failure.
 *
 * @param now time in milliseconds since the Unix epoch.
 * @param signal aborts the attempt.
 * @returns `undefined` if the message was delivered.
 */
export async function sendOnce(
  { url, keys }: WebhookAddress,
  { id, body }: WebhookMessage,
  now: number,
  signal: AbortSignal,
): Promise<FailedAttempt | undefined> {
  const seconds = Math.floor(now / 1000);
  const late = new Error("no response in time");
  try {
    return await withinTime(MAX_WEBHOOK_MS, late, signal, async (ending) => {
      const signature = signatureOf({ id, seconds, body }, await keys());
      const response = await sendRequest(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "user-agent": "waybill",
          "webhook-id": id,
          "webhook-timestamp": String(seconds),
          "webhook-signature": signature,
        },
        body,
        redirect: "manual",
        signal: ending,
      });
      await response.body?.cancel().catch(() => {});
      if (response.ok) return undefined;
      const { status, headers } = response;
      return {
        problem: `HTTP status ${status}`,
        retryAfterMs: retryAfterMs(headers, now) ?? 0,
        isUncertain: false,
        ...(status === GONE && { isGone: true }),
      };
    });
  } catch (error) {
    const isLate = error === late || signal.aborted;
    const problem = isLate ? late.message : errorCode(error);
    return { problem, retryAfterMs: 0, isUncertain: isLate || UNCERTAIN.has(problem) };
  }
}

const PREFIX = "whsec_";
/** Minimum and maximum key size, in bytes. */
const [MIN_KEY_BYTES, MAX_KEY_BYTES] = [24, 64];

/**
 * Parses webhook secrets, separated by white space, in the format of Standard Webhooks: `whsec_` and the base64 of 24
 * to 64 bytes.
 *
 * @returns their keys.
 * @throws Error if there is no secret, or one has another format. The message does not quote them.
 */
export function readSecrets(text: string): Buffer[] {
  const secrets = text.split(/\s+/).filter((word) => word !== "");
  if (secrets.length === 0) throw new Error("it contains no secret");
  return secrets.map((secret, index) => {
    const base64 = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : "";
    const key = Buffer.from(base64, "base64");
    const isExact = key.toString("base64").replace(/=+$/, "") === base64.replace(/=+$/, "");
    if (isExact && key.length >= MIN_KEY_BYTES && key.length <= MAX_KEY_BYTES) return key;
    throw new Error(`secret ${index + 1} must be ${PREFIX} followed by the base64 of 24 to 64 bytes`);
  });
}

export interface SignedContent {
  /** Unique id without a dot. */
  readonly id: string;
  /** Time of the attempt, in seconds since the Unix epoch. */
  readonly seconds: number;
  readonly body: string;
}

/** Signs a message with each key, as in Standard Webhooks. Returns the `webhook-signature` header value. */
export const signatureOf = ({ id, seconds, body }: SignedContent, keys: readonly Buffer[]): string =>
  keys
    .map((key) => `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`)
    .join(" ");
