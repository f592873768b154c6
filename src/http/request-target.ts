/** Matches text that needs no decoding, as most segments. */
const PLAIN = /^[^%\x80-\xff]*$/;

/** Matches unescaped bytes. Node.js converts each of them to one character. */
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

/** Decodes a query name or value, in which `+` is a space. */
export function decodeQueryText(raw: string): string | undefined {
  return decodeSegment(raw.replaceAll("+", " "));
}

interface QueryParameter {
  /** Decoded name, or the raw text if it cannot be decoded. */
  readonly name: string;
  /** Decoded value. Undefined if name or value has a malformed escape or is not UTF-8. */
  readonly value: string | undefined;
}

/** Splits a raw query at `&`. A parameter without `=` has an empty value. Empty parameters are ignored. */
export function parseQuery(query: string): QueryParameter[] {
  const parameters: QueryParameter[] = [];
  for (const piece of query.split("&")) {
    if (piece === "") continue;
    const mark = piece.indexOf("=");
    const rawName = mark < 0 ? piece : piece.slice(0, mark);
    const name = decodeQueryText(rawName);
    const value = mark < 0 ? "" : decodeQueryText(piece.slice(mark + 1));
    parameters.push({ name: name ?? rawName, value: name === undefined ? undefined : value });
  }
  return parameters;
}
