import type { JWTPayload } from "jose";

/**
 * Tells whether the `typ` header of a JWT is that of an access token: omitted, `JWT` or `at+jwt` (RFC 9068
 * §2.1), in any case, with or without `application/` (RFC 7515 §4.1.9). Issuers sign other tokens with the
 * same keys, such as logout tokens and security events (RFC 8725 §3.11).
 */
export const isAccessTokenType = (typ: unknown): boolean =>
  typ === undefined || (typeof typ === "string" && /^(?:application\/)?(?:at\+)?jwt$/i.test(typ));

/** Tells whether an introspected `token_type` is that of a bearer token (RFC 6749 §5.1) or names its use. */
export const isBearerType = (type: unknown): boolean =>
  type === undefined || (typeof type === "string" && /^(?:bearer|access_token)$/i.test(type));

/**
 * Tells whether a token is bound to a key by DPoP or mutual TLS (RFC 7800 §3.1, RFC 9449, RFC 8705). This
 * service does not check such keys: accepting the token would let a thief use it.
 */
export const isBoundToKey = ({ cnf }: JWTPayload): boolean => cnf !== undefined;
