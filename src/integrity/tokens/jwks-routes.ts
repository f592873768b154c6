import type { JSONWebKeySet } from "jose";
import { EncodedJson } from "../../api/encoded-response.js";
import type { PlainRoute } from "../../api/plain-route.js";
import { PUBLISHED_AHEAD_MS } from "./key-schedule.js";
import type { TokenKeyRing } from "./token-keys.js";

const HEADERS = { "cache-control": `public, max-age=${PUBLISHED_AHEAD_MS / 1_000}` };

/** Public routes that return the keys to verify tokens (RFC 7517). */
export function jwksRoutes(ring: Pick<TokenKeyRing, "publicKeys">): PlainRoute[] {
  let latest: { readonly set: JSONWebKeySet; readonly body: EncodedJson } | undefined;
  const respond: PlainRoute["respond"] = async () => {
    const set = await ring.publicKeys();
    if (latest?.set !== set) latest = { set, body: new EncodedJson(Buffer.from(JSON.stringify(set))) };
    return { body: latest.body, headers: HEADERS };
  };
  return ["/v1/jwks", "/v1beta/jwks"].map((path) => ({ httpMethod: "GET", path, respond }));
}
