import { execFileSync } from "node:child_process";

/**
 * Limits the size of files that a process can write, which has the same effect as a full disk. Works only on Linux.
 *
 * @param bytes limit for each file.
 */
export function limitFileSize(pid: number | undefined, bytes: number | "unlimited"): void {
  execFileSync("prlimit", ["--pid", String(pid), `--fsize=${bytes}:`]);
}
