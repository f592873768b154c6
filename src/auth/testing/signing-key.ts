import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";

/** A key of an issuer, with which a test makes any token it likes. */
export interface SigningKey {
  readonly publicJwk: JWK & { readonly kid: string };
  /** A JWT of exactly these claims; `header` adds to or replaces parts of the protected header. */
  sign(claims: JWTPayload, header?: Readonly<Record<string, unknown>>): Promise<string>;
}

/** Makes a key for one signature algorithm. */
export async function signingKey(kid: string, alg = "ES256"): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return {
    publicJwk: { ...(await exportJWK(publicKey)), kid },
    sign: (claims, header) =>
      new SignJWT(claims).setProtectedHeader({ alg, kid, ...header }).sign(privateKey),
  };
}
