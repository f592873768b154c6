import { createReadStream } from "node:fs";
import { join } from "node:path";
import { systemReason } from "../model/system-error.js";
import { BackupError } from "./backup-error.js";
import { type Digest, digestOf } from "./digested-copy.js";
import type { BackupFile, Manifest } from "./manifest.js";

/** Number of bytes in all files of a backup. */
export const bytesOf = ({ files }: Manifest): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

/** Reads the files of a backup, and returns a line for each that is not as it was written. */
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

/** @throws BackupError if a file is not as it was written. */
export function expectSame(path: string, file: BackupFile, digest: Digest): void {
  const difference = findDifference(path, file, digest);
  if (difference !== undefined) throw new BackupError(difference);
}

function findDifference(path: string, { bytes, sha256 }: BackupFile, digest: Digest): string | undefined {
  if (digest.bytes !== bytes)
    return `${path} has ${digest.bytes} bytes instead of the ${bytes} of the manifest`;
  return digest.sha256 === sha256 ? undefined : `${path} does not have the digest of the manifest`;
}
