import { credentialsMissing, tokenInvalid } from "../auth-errors.js";

const BEARER = /^bearer +/i;

/** Characters that separate list items. Tokens do not contain them (RFC 6750 §2.1). */
const SEPARATOR = /[\s,]/;

/**
 * Returns the token in an `Authorization: Bearer <token>` header (RFC 6750 §2.1), without validating the token.
 *
 * @throws ApiError `CREDENTIALS_MISSING` for no header, another scheme or an empty token; `ACCESS_TOKEN_INVALID` for
 * several tokens.
 */
export function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined || !BEARER.test(authorization)) throw credentialsMissing();
  const token = authorization.replace(BEARER, "");
  if (token === "") throw credentialsMissing();
  if (SEPARATOR.test(token)) throw tokenInvalid("MALFORMED");
  return token;
}
