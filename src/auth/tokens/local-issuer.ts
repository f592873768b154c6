import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
} from "node:crypto";
import { calculateJwkThumbprint, type JSONWebKeySet, type JWK, SignJWT } from "jose";
import { type Key, KeyError, type KeyRecords, sharedKey } from "../../control/keys.js";
import type { Json } from "../../control/records.js";
import type { Clock } from "../../model/clock.js";
import { DEFAULT_AUDIENCE } from "./authenticator.js";

/** The `iss` of locally signed tokens. */
export const LOCAL_ISSUER = "urn:waybill:local";

export interface LocalTokenClaims {
  readonly principal: string;
  /** Full names, such as `https://www.googleapis.com/auth/platform`. */
  readonly scopes: readonly string[];
  readonly ttlSeconds: number;
  /** The `iss`; {@link LOCAL_ISSUER} by default. */
  readonly issuer?: string;
  /** The `aud`; {@link DEFAULT_AUDIENCE} by default. */
  readonly audience?: string;
}

/** Signs tokens with a key that the server generated. */
export interface LocalIssuer {
  /** Signs a JWT that is valid from now. With the default audience, it is an access token for this service. */
  sign(claims: LocalTokenClaims): Promise<string>;
  /** The public key. */
  jwks(): JSONWebKeySet;
}

/** Name of the record with the key that signs local tokens, as a private JWK. */
export const LOCAL_ISSUER_KEY = "local-issuer.jwk";

/**
 * Opens the local issuer. Generates its key on first use.
 *
 * @throws KeyError with the key's location if the key is damaged.
 * @throws StoreUnavailableError if the records cannot be read or written.
 */
export async function openLocalIssuer(records: KeyRecords, clock: Clock): Promise<LocalIssuer> {
  const privateKey = parseKey(await sharedKey(records, LOCAL_ISSUER_KEY, makeKey));
  const publicJwk = createPublicKey(privateKey).export({ format: "jwk" }) as JWK;
  const kid = await calculateJwkThumbprint(publicJwk);
  return {
    sign: ({ principal, scopes, ttlSeconds, issuer = LOCAL_ISSUER, audience = DEFAULT_AUDIENCE }) => {
      const now = Math.floor(clock.wall() / 1_000);
      return new SignJWT({ email: principal, scope: scopes.join(" ") })
        .setProtectedHeader({ alg: "EdDSA", typ: "JWT", kid })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(principal)
        .setIssuedAt(now)
        .setExpirationTime(now + ttlSeconds)
        .setJti(randomUUID())
        .sign(privateKey);
    },
    jwks: () => ({ keys: [{ ...publicJwk, kid, alg: "EdDSA", use: "sig" }] }),
  };
}

/** Parses a private Ed25519 JWK (RFC 8037) and checks that its public half matches. */
function parseKey({ value, place }: Key): KeyObject {
  try {
    const jwk = value as JWK;
    const key = createPrivateKey({ key: jwk, format: "jwk" });
    if (key.asymmetricKeyType !== "ed25519") throw new Error("it is not an Ed25519 key");
    if (createPublicKey(key).export({ format: "jwk" }).x !== jwk.x)
      throw new Error("its public and private parts do not match");
    return key;
  } catch (cause) {
    throw new KeyError(
      `the local signing key ${place} is damaged; restore it, or replace it with "waybill token --new-key", ` +
        "which makes all local tokens invalid",
      { cause },
    );
  }
}

const makeKey = (): Json =>
  ({ ...generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }) }) as Json;
