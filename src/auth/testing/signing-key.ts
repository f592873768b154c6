import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";

/** An issuer's key, which signs any token that a test needs. */
export interface SigningKey {
  readonly publicJwk: JWK & { readonly kid: string };
  /** Signs a JWT with exactly these claims. `header` adds or replaces fields of the protected header. */
  sign(claims: JWTPayload, header?: Readonly<Record<string, unknown>>): Promise<string>;
}

export async function signingKey(kid: string, alg = "ES256"): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return {
    publicJwk: { ...(await exportJWK(publicKey)), kid },
    sign: (claims, header) =>
      new SignJWT(claims).setProtectedHeader({ alg, kid, ...header }).sign(privateKey),
  };
}
