import { createHash } from "node:crypto";
import { open } from "node:fs/promises";

/** Size and digest of the bytes that went by. */
export interface Digest {
  readonly bytes: number;
  /** SHA-256, in hexadecimal. */
  readonly sha256: string;
}

/** Passes chunks on; returns their digest at the end. */
export async function* digesting(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, Digest, undefined> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    bytes += chunk.length;
    yield chunk;
  }
  return { bytes, sha256: hash.digest("hex") };
}

/**
 * Writes chunks to a new file that only its owner may read. Resolves when they are on disk.
 *
 * @param onBytes called with the number of bytes of each chunk.
 * @throws a system error with the path if the file cannot be written.
 */
export async function writeDigested(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): Promise<Digest> {
  // Errors of writes lack the path.
  const rethrow = (error: object): never => {
    throw Object.assign(error, { path });
  };
  const file = await open(path, "wx", 0o600);
  try {
    const digested = digesting(chunks);
    for (;;) {
      const next = await digested.next();
      if (next.done === true) {
        await file.sync().catch(rethrow);
        return next.value;
      }
      await file.writeFile(next.value).catch(rethrow);
      onBytes(next.value.length);
    }
  } finally {
    await file.close();
  }
}

/** Reads chunks to their end. */
export async function digestOf(
  chunks: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): Promise<Digest> {
  const digested = digesting(chunks);
  for (;;) {
    const next = await digested.next();
    if (next.done === true) return next.value;
    onBytes(next.value.length);
  }
}
