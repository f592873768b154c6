import { readdirSync, readlinkSync } from "node:fs";
import type { MemoryUsage } from "../in-server/instructions.js";

/** What a server takes of the machine when nobody asks for anything. */
export interface Usage extends MemoryUsage {
  readonly openFiles: number;
  /** The same by what they are: a path, or a kind such as `socket` and `anon_inode:[eventpoll]`. */
  readonly filesByKind: ReadonlyMap<string, number>;
}

/** Counts the open files of a process. */
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
    return "closed meanwhile";
  }
}

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
