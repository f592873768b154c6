import { pipeline } from "node:stream/promises";
import { systemReason } from "../../model/system-error.js";

/**
 * Writes texts to standard output as fast as they are read. If it can no longer be written, no further texts are
 * requested; {@link reportOutputErrors} has reported the reason.
 */
export async function print(texts: AsyncIterable<string> | Iterable<string>): Promise<void> {
  try {
    await pipeline(texts, process.stdout, { end: false });
  } catch (error) {
    if (!isOutputError(error)) throw error;
  }
}

/** Returns true for an error of standard output: of all that commands write themselves, it alone has no path. */
export function isOutputError(error: unknown): boolean {
  const { syscall, path } = Object(error) as NodeJS.ErrnoException;
  return syscall === "write" && path === undefined;
}

/**
 * Reports that standard output cannot be written, and makes the process fail at its end. A reader that stops early,
 * such as `head`, is not an error.
 */
export function reportOutputErrors(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    const reason = systemReason(error) ?? error.message;
    process.stderr.write(`waybill: cannot write to standard output: ${reason}\n`);
    process.exitCode = 1;
  });
  // There is no place left to report to.
  process.stderr.on("error", () => {});
}
