import { join } from "node:path";
import { BackupError, FILE_NAME, type Manifest } from "./backup-directory.js";
import { FrameReader } from "./backup-frames.js";
import { type Digest, writeDigested } from "./file-digests.js";

export interface BackupProgress {
  /** @param bytes size of the server's snapshot so far. */
  onSnapshot(bytes: number): void;
  /** @param bytes total size of the files that follow. */
  onTotal(bytes: number): void;
  /** @param bytes number of further bytes written. */
  onBytes(bytes: number): void;
}

/**
 * Receives a backup from a server, and writes it to files.
 *
 * @returns the manifest. All files are then on disk.
 * @throws BackupError if the backup is incomplete or damaged.
 */
export async function receiveBackup(
  chunks: AsyncIterable<Uint8Array>,
  directory: string,
  progress: BackupProgress,
): Promise<Manifest> {
  const reader = new FrameReader(chunks);
  const written = new Map<string, Digest>();
  for (;;) {
    const frame = await reader.frame();
    if ("snapshotBytes" in frame) progress.onSnapshot(frame.snapshotBytes);
    else if ("totalBytes" in frame) progress.onTotal(frame.totalBytes);
    else if ("error" in frame) {
      throw new BackupError(`the server could not complete the backup: ${frame.error}`);
    } else if ("complete" in frame) return expectAll(frame.complete, written);
    else {
      if (!FILE_NAME.test(frame.file))
        throw new BackupError(`the server sent an unexpected file: ${frame.file}`);
      const path = join(directory, frame.file);
      written.set(frame.file, await writeDigested(path, reader.bytes(frame.bytes), progress.onBytes));
    }
  }
}

function expectAll(manifest: Manifest, written: ReadonlyMap<string, Digest>): Manifest {
  const isWhole = ({ name, sha256 }: Manifest["files"][number]): boolean =>
    written.get(name)?.sha256 === sha256;
  if (manifest.files.length === written.size && manifest.files.every(isWhole)) return manifest;
  throw new BackupError("the received files are damaged; try again");
}
