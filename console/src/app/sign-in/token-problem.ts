import { formatInstant } from "#console/model/days/format-day.js";
import { claimsOf } from "./token-claims.js";

/**
 * Returns an error message for an access token that is malformed or has expired, without a request.
 *
 * @param now milliseconds since the Unix epoch
 * @returns undefined if only the services can decide, such as for opaque tokens
 */
export function tokenProblem(token: string, now: number): string | undefined {
  if (token === "") return "Paste an access token.";
  // RFC 6750 §2.1
  if (!/^[A-Za-z0-9\-._~+/]+=*$/.test(token))
    return "This is not an access token: it contains invalid characters.";
  const { expiry } = claimsOf(token);
  if (expiry !== undefined && expiry * 1000 <= now) {
    return `This access token expired ${formatInstant(expiry * 1000)}. Get a new one.`;
  }
  return undefined;
}
