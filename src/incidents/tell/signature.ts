import { createHmac } from "node:crypto";

const PREFIX = "whsec_";
/** Lengths of a key, in bytes. */
const [MIN_KEY_BYTES, MAX_KEY_BYTES] = [24, 64];

/**
 * Reads the secrets of a webhook, one or several separated by white space, in the form of Standard Webhooks:
 * `whsec_` and the base64 of 24 to 64 bytes.
 *
 * @returns their keys.
 * @throws Error if there is none, or one has another form; the message contains nothing of them.
 */
export function readSecrets(text: string): Buffer[] {
  const secrets = text.split(/\s+/).filter((word) => word !== "");
  if (secrets.length === 0) throw new Error("it has no secret");
  return secrets.map((secret, index) => {
    const base64 = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : "";
    const key = Buffer.from(base64, "base64");
    const isExact = key.toString("base64").replace(/=+$/, "") === base64.replace(/=+$/, "");
    if (isExact && key.length >= MIN_KEY_BYTES && key.length <= MAX_KEY_BYTES) return key;
    throw new Error(`secret ${index + 1} is not ${PREFIX} and the base64 of 24 to 64 bytes`);
  });
}

/** A message to be signed. */
export interface SignedContent {
  /** Unique; without a dot. */
  readonly id: string;
  /** Time of the attempt, in seconds since the Unix epoch. */
  readonly seconds: number;
  readonly body: string;
}

/** Signs a message by Standard Webhooks, with each of the keys: the value of the header `webhook-signature`. */
export const signatureOf = ({ id, seconds, body }: SignedContent, keys: readonly Buffer[]): string =>
  keys
    .map((key) => `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`)
    .join(" ");
