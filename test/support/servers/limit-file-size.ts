import { execFileSync } from "node:child_process";

/**
 * Limits the size of files that a process writes, which acts like a full disk. Works on Linux only.
 *
 * @param bytes applies to each file.
 */
export function limitFileSize(pid: number | undefined, bytes: number | "unlimited"): void {
  execFileSync("prlimit", ["--pid", String(pid), `--fsize=${bytes}:`]);
}
