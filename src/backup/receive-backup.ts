import { join } from "node:path";
import { BackupError } from "./backup-error.js";
import { FrameReader } from "./backup-frames.js";
import { type Digest, writeDigested } from "./digested-copy.js";
import { FILE_NAME, type Manifest } from "./manifest.js";

/** Called while a backup arrives. */
export interface BackupProgress {
  /** The server's snapshot has this many bytes so far. */
  onSnapshot(bytes: number): void;
  /** The server begins to send this many bytes. */
  onTotal(bytes: number): void;
  /** This many further bytes are in their files. */
  onBytes(bytes: number): void;
}

/**
 * Writes the files of a backup that a server sends.
 *
 * @returns the manifest of the files, which are on disk.
 * @throws BackupError if the backup ends before it is complete, or arrives damaged.
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
      if (!FILE_NAME.test(frame.file)) throw new BackupError(`the server sent a file named ${frame.file}`);
      const path = join(directory, frame.file);
      written.set(frame.file, await writeDigested(path, reader.bytes(frame.bytes), progress.onBytes));
    }
  }
}

function expectAll(manifest: Manifest, written: ReadonlyMap<string, Digest>): Manifest {
  const isWhole = ({ name, sha256 }: Manifest["files"][number]): boolean =>
    written.get(name)?.sha256 === sha256;
  if (manifest.files.length === written.size && manifest.files.every(isWhole)) return manifest;
  throw new BackupError("the files differ from those that the server sent; try again");
}
