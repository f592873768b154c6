import { readFile } from "node:fs/promises";
import { readBody } from "@waybill/client/support";
import type { JSONWebKeySet } from "jose";
import { MAX_KEY_SET_BYTES } from "../../limits/data-limits.js";
import { sendRequest } from "../../outgoing/requests.js";

export interface KeySource {
  /** Time for which a loaded key set may be used, in milliseconds. */
  readonly maxAgeMs: number;
  load(): Promise<JSONWebKeySet>;
}

const FETCH_TIMEOUT_MS = 5_000;

/**
 * Keys published at a URL (`jwks_uri`, RFC 8414 §2). A redirect or any status other than 200 is a failure.
 */
export function remoteKeys(uri: string | URL): KeySource {
  return {
    maxAgeMs: 5 * 60_000,
    async load() {
      const response = await sendRequest(uri, {
        headers: { accept: "application/jwk-set+json, application/json" },
        redirect: "error",
        signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
      });
      if (response.status !== 200) {
        await response.body?.cancel();
        throw new Error(`${uri} responded with HTTP status ${response.status}`);
      }
      const { bytes, isWhole } = await readBody(response, MAX_KEY_SET_BYTES);
      if (!isWhole) throw new Error(`the key set at ${uri} has more than ${MAX_KEY_SET_BYTES} bytes`);
      return JSON.parse(Buffer.from(bytes).toString()) as JSONWebKeySet;
    },
  };
}

/** Keys in a local file, which may be replaced at any time. */
export function fileKeys(path: string): KeySource {
  return {
    maxAgeMs: 2_000,
    load: async () => JSON.parse(await readFile(path, "utf8")) as JSONWebKeySet,
  };
}

/** Keys that never change, such as the local issuer's keys. */
export function fixedKeys(jwks: JSONWebKeySet): KeySource {
  return { maxAgeMs: Number.POSITIVE_INFINITY, load: async () => jwks };
}
