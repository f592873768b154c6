/**
 * Decodes the percent-encoded text of one path segment.
 * @returns undefined if an escape is malformed or the bytes are not UTF-8.
 */
export function decodeSegment(raw: string): string | undefined {
  try {
    return raw.includes("%") ? decodeURIComponent(raw) : raw;
  } catch {
    return undefined;
  }
}

/** Decodes several path segments, except `%2F` and `%2f`, which stay as they are (`google/api/http.proto`). */
export function decodeSegments(raw: string): string | undefined {
  return decodeSegment(raw.replace(/%(?=2f)/gi, "%25"));
}

/** Decodes a name or a value of a query, where `+` is a space. */
export function decodeQueryText(raw: string): string | undefined {
  return decodeSegment(raw.replaceAll("+", " "));
}
