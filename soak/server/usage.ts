import { readdirSync, readlinkSync } from "node:fs";
import type { MemoryUsage } from "../in-server/instructions.js";

export interface Usage extends MemoryUsage {
  readonly openFiles: number;
  /** The same by kind: a path, or a kind such as `socket` and `anon_inode:[eventpoll]`. */
  readonly filesByKind: ReadonlyMap<string, number>;
}

export function openFilesOf(pid: number): Pick<Usage, "openFiles" | "filesByKind"> {
  const filesByKind = new Map<string, number>();
  const numbers = readdirSync(`/proc/${pid}/fd`);
  for (const number of numbers) {
    const kind = kindOf(`/proc/${pid}/fd/${number}`);
    filesByKind.set(kind, (filesByKind.get(kind) ?? 0) + 1);
  }
  return { openFiles: numbers.length, filesByKind };
}

function kindOf(link: string): string {
  try {
    return readlinkSync(link).replace(/^(socket|pipe):.*/, "$1");
  } catch {
    return "closed while it was read";
  }
}

const MIB = 1024 * 1024;

/**
 * Additional open files that are not a leak: the database log, which is open only while it has content, files that
 * the engine spills to, and four for each of two threads that start when they are first needed.
 */
export const MAX_MORE_FILES = 12;
/** Additional heap that is not a leak, in bytes: names of apps and labels, which increase with each round. */
const MAX_MORE_HEAP = 16 * MIB;
/**
 * Additional memory that the server may keep by design, in bytes: encoded pages (64 MiB), the engine's buffers, which fill
 * its limit in time (153 MiB of `CONFIG`), and memory that allocators do not return.
 */
const MAX_MORE_RSS = 256 * MIB;

/** Resources that have grown beyond their limits. */
export function growthViolations(before: Usage, after: Usage): string[] {
  const limits = [
    [`open files (${moreFiles(before, after)})`, after.openFiles - before.openFiles, MAX_MORE_FILES],
    ["bytes of heap", after.heapUsed - before.heapUsed, MAX_MORE_HEAP],
    ["bytes of resident memory", after.rss - before.rss, MAX_MORE_RSS],
  ] as const;
  return limits
    .filter(([, growth, most]) => growth > most)
    .map(
      ([what, growth, most]) => `${growth} ${what} more than at the first checkpoint, at most ${most} may be`,
    );
}

function moreFiles(before: Usage, after: Usage): string {
  const more = [...after.filesByKind].map(
    ([kind, count]) => [kind, count - (before.filesByKind.get(kind) ?? 0)] as const,
  );
  return more
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(", ");
}
