import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import type { JSONWebKeySet, JWK } from "jose";
import { LOCAL_ISSUER, type LocalIssuer } from "../../src/auth/tokens/local-issuer.js";

/** The bytes before a private Ed25519 key of 32 bytes in PKCS #8 (RFC 8410 §7). */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

const KID = "fuzz";
const HEADER = { alg: "EdDSA", typ: "JWT", kid: KID };
/** A fixed key makes results reproducible. */
const privateKey = createPrivateKey({
  key: Buffer.concat([PKCS8_HEAD, Buffer.alloc(32, 1)]),
  format: "der",
  type: "pkcs8",
});
const JWKS: JSONWebKeySet = {
  keys: [
    { ...(createPublicKey(privateKey).export({ format: "jwk" }) as JWK), kid: KID, alg: "EdDSA", use: "sig" },
  ],
};

/** A JWT of two arbitrary texts with a valid signature. */
export function signedToken(header: string | Buffer, claims: string | Buffer): string {
  const signed = [header, claims].map((part) => Buffer.from(part).toString("base64url")).join(".");
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString("base64url")}`;
}

/** A local issuer with a fixed key. */
export const fuzzIssuer: LocalIssuer = {
  async sign({ principal, scopes, ttlSeconds, issuer = LOCAL_ISSUER, audience = "waybill" }) {
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: issuer,
      aud: audience,
      sub: principal,
      scope: scopes.join(" "),
      iat: now,
      jti: "1",
    };
    return signedToken(JSON.stringify(HEADER), JSON.stringify({ ...claims, exp: now + ttlSeconds }));
  },
  jwks: () => JWKS,
};

export const TOKEN_HEADER = JSON.stringify(HEADER);
