import { readdirSync } from "node:fs";
import type { MemoryUsage } from "../in-server/instructions.js";

/** What a server takes of the machine when nobody asks for anything. */
export interface Usage extends MemoryUsage {
  readonly openFiles: number;
}

export const openFilesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

const MIB = 1024 * 1024;

/** Files more than before that are no leak: the log of the database, which is open only when there is something in it. */
export const MAX_MORE_FILES = 2;
/** Heap more than before, in bytes: names of apps and labels, of which there are more in each round. */
const MAX_MORE_HEAP = 16 * MIB;
/**
 * Memory more than before that the server may keep by design, in bytes: encoded pages (64 MiB), and what the allocator does not return
 * of that again.
 */
const MAX_MORE_RSS = 160 * MIB;

/** What has grown that should not have. */
export function growthViolations(before: Usage, after: Usage): string[] {
  const limits = [
    ["open files", after.openFiles - before.openFiles, MAX_MORE_FILES],
    ["bytes of heap", after.heapUsed - before.heapUsed, MAX_MORE_HEAP],
    ["bytes of resident memory", after.rss - before.rss, MAX_MORE_RSS],
  ] as const;
  return limits
    .filter(([, growth, most]) => growth > most)
    .map(
      ([what, growth, most]) => `${growth} ${what} more than at the first checkpoint, at most ${most} may be`,
    );
}
