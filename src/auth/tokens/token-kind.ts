import type { JWTPayload } from "jose";

/**
 * Returns true if a JWT's `typ` header permits an access token: omitted, `JWT` or `at+jwt` (RFC 9068 §2.1), in any
 * case, with or without `application/` (RFC 7515 §4.1.9). Issuers may sign other tokens with the same keys, such as
 * logout tokens and security events (RFC 8725 §3.11).
 */
export const isAccessTokenType = (typ: unknown): boolean =>
  typ === undefined || (typeof typ === "string" && /^(?:application\/)?(?:at\+)?jwt$/i.test(typ));

/**
 * Returns true if an introspected token has the `token_type` of a bearer token (RFC 6749 §5.1), or one that describes
 * its use.
 */
export const isBearerType = (type: unknown): boolean =>
  type === undefined || (typeof type === "string" && /^(?:bearer|access_token)$/i.test(type));

/**
 * Returns true if a token is bound to a key by DPoP or mutual TLS (RFC 7800 §3.1, RFC 9449, RFC 8705). This service
 * does not check such keys, so it must reject the token: otherwise, a thief could use it.
 */
export const isBoundToKey = ({ cnf }: JWTPayload): boolean => cnf !== undefined;
