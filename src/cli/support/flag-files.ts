import { randomUUID } from "node:crypto";
import { readFile, rm, stat } from "node:fs/promises";
import { createSecretFile, replaceFile } from "../../control/file/secret-file.js";
import { systemReason } from "../../model/system-error.js";
import { CommandFailure } from "./command-failure.js";

/** @throws CommandFailure unless a flag's path is a directory. */
export async function requireDirectory(flag: string, path: string): Promise<void> {
  const info = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === "ENOENT" ? "there is no such directory" : systemReason(cause);
    throw new CommandFailure(`${flag} ${path}: ${reason ?? cause.message}`, { cause });
  });
  if (!info.isDirectory()) throw new CommandFailure(`${flag} ${path}: it is not a directory`);
}

/** Reads a flag's file. @throws CommandFailure if it cannot be read. */
export async function readFlagFile(flag: string, path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new CommandFailure(`${flag} ${path}: ${systemReason(cause) ?? String(cause)}`, { cause });
  }
}

/** Reasons for failed writes, by error code. */
const REASONS: Readonly<Record<string, string>> = {
  EEXIST: "the file exists; --force replaces it",
  ENOENT: "there is no such directory",
};

/**
 * Writes a file atomically that only its owner may read.
 *
 * @throws CommandFailure if the file cannot be written, or exists and must not be replaced.
 */
export async function writeSecretFile(
  path: string,
  text: string,
  { replace }: { readonly replace: boolean },
): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await (replace ? replaceFile(path, draft, text) : createSecretFile(path, text));
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => {});
    const { code = "", message } = cause as NodeJS.ErrnoException;
    throw new CommandFailure(`cannot write ${path}: ${REASONS[code] ?? systemReason(cause) ?? message}`, {
      cause,
    });
  }
}
