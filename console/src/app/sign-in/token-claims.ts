/** Claims of an access token that the page shows. All undefined for an opaque token. */
export interface TokenClaims {
  /** The principal: an email address, or else a subject. */
  readonly principal: string | undefined;
  /** Seconds since the Unix epoch (RFC 7519 §4.1.4). */
  readonly expiry: number | undefined;
}

/** Reads a JWT's claims without verifying it. Only the services decide whether it is valid. */
export function claimsOf(token: string): TokenClaims {
  const [, payload, signature] = token.split(".");
  if (payload === undefined || signature === undefined) return { principal: undefined, expiry: undefined };
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll("-", "+").replaceAll("_", "/")), (char) =>
      char.charCodeAt(0),
    );
    const claims = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown> | null;
    const { exp, email, sub } = claims ?? {};
    return {
      principal: [email, sub].find((claim) => typeof claim === "string" && claim !== "") as
        | string
        | undefined,
      expiry: typeof exp === "number" ? exp : undefined,
    };
  } catch {
    return { principal: undefined, expiry: undefined };
  }
}
