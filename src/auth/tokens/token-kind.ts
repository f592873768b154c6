import type { JWTPayload } from "jose";

/**
 * Whether the `typ` header of a JWT is that of an access token: none, `JWT`, or `at+jwt` (RFC 9068 §2.1), in whatever case
 * and with or without `application/` (RFC 7515 §4.1.9). Issuers sign other things with the same keys, such as logout tokens
 * and security events (RFC 8725 §3.11).
 */
export const isAccessTokenType = (typ: unknown): boolean =>
  typ === undefined || (typeof typ === "string" && /^(?:application\/)?(?:at\+)?jwt$/i.test(typ));

/** Whether an issuer that was asked calls a token a bearer token (RFC 6749 §5.1), or names it by its use. */
export const isBearerType = (type: unknown): boolean =>
  type === undefined || (typeof type === "string" && /^(?:bearer|access_token)$/i.test(type));

/**
 * Whether a token is good only together with a key, by DPoP or mutual TLS (RFC 7800 §3.1, RFC 9449, RFC 8705). Nobody here
 * checks that key, so that a stolen token would be as good as its owner's.
 */
export const isBoundToKey = ({ cnf }: JWTPayload): boolean => cnf !== undefined;
