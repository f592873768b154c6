import { formatInstant } from "#console/model/days/format-day.js";

/**
 * Describes what is visibly wrong with an access token. Only the services can tell whether a token is valid,
 * and they alone judge tokens that are not JWTs.
 * @param now milliseconds since the Unix epoch.
 * @returns undefined if nothing is visibly wrong.
 */
export function tokenProblem(token: string, now: number): string | undefined {
  if (token === "") return "Paste an access token.";
  // RFC 6750 §2.1
  if (!/^[A-Za-z0-9\-._~+/]+=*$/.test(token))
    return "This is not an access token: it has characters that access tokens cannot have.";
  const expiry = expiryOf(token);
  if (expiry !== undefined && expiry * 1000 <= now) {
    return `This access token expired ${formatInstant(expiry * 1000)}. Get a new one.`;
  }
  return undefined;
}

/** The `exp` of a JWT, in seconds since the Unix epoch (RFC 7519 §4.1.4). */
function expiryOf(token: string): number | undefined {
  const [, payload, signature] = token.split(".");
  if (payload === undefined || signature === undefined) return undefined;
  try {
    const { exp } = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))) as { exp?: unknown };
    return typeof exp === "number" ? exp : undefined;
  } catch {
    return undefined;
  }
}
