import { joined } from "./bytes.js";

/**
 * Parses a `Retry-After` header, in seconds or as a date (RFC 9110 §10.2.3).
 *
 * @param now current time, in milliseconds since the Unix epoch.
 * @returns milliseconds from now; undefined if the header is omitted or invalid.
 */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const text = headers.get("retry-after");
  if (text === null) return undefined;
  const milliseconds = /^\d+$/.test(text) ? 1000 * Number(text) : Date.parse(text) - now;
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}

/** A response body, or its beginning if it is long. */
export interface ReadBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** False if the body is longer than the limit. */
  readonly isWhole: boolean;
}

/**
 * Reads a body up to a limit. Closes the connection if the body is longer.
 *
 * @param maxBytes size limit after decoding.
 * @param onChunk called for each chunk.
 */
export async function readBody(
  response: { readonly body: AsyncIterable<Uint8Array> | null },
  maxBytes: number,
  onChunk: () => void = () => {},
): Promise<ReadBody> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    onChunk();
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes)
      return { bytes: joined(chunks, new Uint8Array(length)).subarray(0, maxBytes), isWhole: false };
  }
  return { bytes: joined(chunks, new Uint8Array(length)), isWhole: true };
}
