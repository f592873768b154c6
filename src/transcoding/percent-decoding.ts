const UTF_8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Whether the text has bytes outside of ASCII, which an HTTP parser hands over as one character each. */
const RAW_BYTES = /[\x80-\xff]/;

/**
 * Decodes the percent-encoded text of one path segment.
 * @returns undefined if an escape is malformed or the bytes are not UTF-8.
 */
export function decodeSegment(raw: string): string | undefined {
  try {
    const text = RAW_BYTES.test(raw) ? UTF_8.decode(Buffer.from(raw, "latin1")) : raw;
    return text.includes("%") ? decodeURIComponent(text) : text;
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
