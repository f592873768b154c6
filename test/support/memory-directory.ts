import { accessSync, constants, statfsSync } from "node:fs";

/** A file system in memory, as Linux has it. */
const PATH = "/dev/shm";
/** Space that all specs together need at most, with much to spare. */
const ENOUGH_BYTES = 6 * 1024 ** 3;

/**
 * Returns a directory in memory for temporary files; undefined if there is none with enough space. A cluster writes
 * thousands of small files, which needs half of its processor time on a disk.
 */
export function memoryDirectory(): string | undefined {
  try {
    accessSync(PATH, constants.W_OK);
    const { bavail, bsize } = statfsSync(PATH);
    return bavail * bsize >= ENOUGH_BYTES ? PATH : undefined;
  } catch {
    return undefined;
  }
}
