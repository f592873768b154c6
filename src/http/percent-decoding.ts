/** Text without anything to decode, as nearly all is. */
const PLAIN = /^[^%\x80-\xff]*$/;

/** Bytes that a caller should have escaped; Node turns each into one character. */
const RAW_BYTES = /[\x80-\xff]/g;

/**
 * Decodes the percent-encoded text of one path segment.
 *
 * @returns `undefined` if an escape is malformed or the bytes are not UTF-8.
 */
export function decodeSegment(raw: string): string | undefined {
  if (PLAIN.test(raw)) return raw;
  const escaped = raw.replace(RAW_BYTES, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
  try {
    return decodeURIComponent(escaped);
  } catch {
    return undefined;
  }
}

/** Decodes several path segments, but keeps `%2F` and `%2f` encoded (`google/api/http.proto`). */
export function decodeSegments(raw: string): string | undefined {
  return PLAIN.test(raw) ? raw : decodeSegment(raw.replace(/%(?=2f)/gi, "%25"));
}

/** Decodes a name or a value in a query, where `+` is a space. */
export function decodeQueryText(raw: string): string | undefined {
  return decodeSegment(raw.replaceAll("+", " "));
}
