/**
 * Reads how long an answer wants callers to wait: `Retry-After`, in seconds or as a date (RFC 9110 §10.2.3).
 *
 * @param now time in milliseconds since the Unix epoch.
 * @returns milliseconds, 0 if it does not say.
 */
export function retryAfterMs(headers: Headers, now: number): number {
  const value = headers.get("retry-after") ?? "";
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Math.max(0, milliseconds || 0);
}
