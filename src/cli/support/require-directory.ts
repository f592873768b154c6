import { stat } from "node:fs/promises";
import { systemReason } from "../../model/system-error.js";
import { CommandFailure } from "./command-failure.js";

/** @throws CommandFailure unless there is a directory at the path that a flag has set. */
export async function requireDirectory(flag: string, path: string): Promise<void> {
  const info = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === "ENOENT" ? "there is no such directory" : systemReason(cause);
    throw new CommandFailure(`${flag} ${path}: ${reason ?? cause.message}`, { cause });
  });
  if (!info.isDirectory()) throw new CommandFailure(`${flag} ${path}: it is not a directory`);
}
