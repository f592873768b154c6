import { pipeline } from "node:stream/promises";
import { systemReason } from "../../model/system-error.js";

/**
 * Writes strings to standard output as fast as they are read. After a write error, requests no further strings.
 * {@link reportOutputErrors} has then reported the reason.
 */
export async function print(texts: AsyncIterable<string> | Iterable<string>): Promise<void> {
  try {
    await pipeline(texts, process.stdout, { end: false });
  } catch (error) {
    if (!isOutputError(error)) throw error;
  }
}

/**
 * Returns true if an error comes from standard output. Errors of files have a path, but errors of standard output do
 * not.
 */
export function isOutputError(error: unknown): boolean {
  const { syscall, path } = Object(error) as NodeJS.ErrnoException;
  return syscall === "write" && path === undefined;
}

/**
 * Reports errors of standard output, and makes the process exit with an error code. A reader that stops early, such as
 * `head`, is not an error.
 */
export function reportOutputErrors(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    const reason = systemReason(error) ?? error.message;
    process.stderr.write(`waybill: cannot write to standard output: ${reason}\n`);
    process.exitCode = 1;
  });
  // There is nowhere to report errors of standard error.
  process.stderr.on("error", () => {});
}
