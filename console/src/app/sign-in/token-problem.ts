import { formatInstant } from "#console/model/days/format-day.js";

/**
 * Returns an error message for an access token that is malformed or has expired, without a request. * @param now
 * milliseconds since the Unix epoch * @returns undefined if only the services can decide, such as for opaque tokens
 */
export function tokenProblem(token: string, now: number): string | undefined {
  if (token === "") return "Paste an access token.";
  // RFC 6750 §2.1
  if (!/^[A-Za-z0-9\-._~+/]+=*$/.test(token))
    return "This is not an access token: it contains invalid characters.";
  const expiry = expiryOf(token);
  if (expiry !== undefined && expiry * 1000 <= now) {
    return `This access token expired ${formatInstant(expiry * 1000)}. Get a new one.`;
  }
  return undefined;
}

/** Returns the `exp` claim of a JWT, in seconds since the Unix epoch (RFC 7519 §4.1.4). */
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
