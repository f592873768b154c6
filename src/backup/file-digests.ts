import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { systemReason } from "../model/system-error.js";
import { BackupError, type BackupFile, type Manifest } from "./backup-directory.js";

/** Size and digest of some bytes. */
export interface Digest {
  readonly bytes: number;
  /** SHA-256, in hexadecimal. */
  readonly sha256: string;
}

/** Yields the chunks unchanged. @returns their digest, when all chunks were read. */
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
 * Writes chunks to a new file with mode 0600. Resolves when the file is on disk.
 *
 * @param onBytes called for each chunk, with its number of bytes.
 * @throws a system error with the path, if the file cannot be written.
 */
export async function writeDigested(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): Promise<Digest> {
  // Adds the path to errors, because write errors do not contain it.
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

/** Reads all chunks. @returns the digest of all bytes. */
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

/** Returns the total size of a backup's files, in bytes. */
export const bytesOf = ({ files }: Manifest): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

/** Compares a backup's files with the manifest. @returns a line for each file that has changed. */
export async function findChangedFiles(
  directory: string,
  { files }: Manifest,
  onBytes: (bytes: number) => void,
): Promise<string[]> {
  const problems: string[] = [];
  for (const file of files) {
    const path = join(directory, file.name);
    const problem = await digestOf(createReadStream(path), onBytes).then(
      (digest) => findDifference(path, file, digest),
      (error: Error) => `${path} cannot be read: ${systemReason(error) ?? error.message}`,
    );
    if (problem !== undefined) problems.push(problem);
  }
  return problems;
}

/** Checks that a file matches the manifest. @throws BackupError if the file has changed. */
export function expectSame(path: string, file: BackupFile, digest: Digest): void {
  const difference = findDifference(path, file, digest);
  if (difference !== undefined) throw new BackupError(difference);
}

function findDifference(path: string, { bytes, sha256 }: BackupFile, digest: Digest): string | undefined {
  if (digest.bytes !== bytes) return `${path} has ${digest.bytes} bytes; its manifest lists ${bytes}`;
  return digest.sha256 === sha256 ? undefined : `${path} does not match the digest in its manifest`;
}
