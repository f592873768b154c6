import { credentialsMissing } from "./auth-errors.js";

const BEARER = /^bearer +/i;

/**
 * The token of an `Authorization: Bearer <token>` header (RFC 6750 §2.1), its form unchecked.
 *
 * @throws ApiError `CREDENTIALS_MISSING` for no header, another scheme or an empty token.
 */
export function bearerToken(authorization: string | undefined): string {
  const scheme = authorization === undefined ? null : BEARER.exec(authorization);
  const token = scheme === null ? "" : (authorization ?? "").slice(scheme[0].length);
  if (token === "") throw credentialsMissing();
  return token;
}
