import { randomUUID } from "node:crypto";
import { readFile, rm, stat } from "node:fs/promises";
import { createSecretFile, replaceFile } from "../../control/file/secret-file.js";
import { systemReason } from "../../model/system-error.js";
import { CommandFailure } from "./command-failure.js";

/** Checks that a flag's path is a directory. @throws CommandFailure otherwise. */
export async function requireDirectory(flag: string, path: string): Promise<void> {
  const info = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === "ENOENT" ? "there is no such directory" : systemReason(cause);
    throw new CommandFailure(`${flag} ${path}: ${reason ?? cause.message}`, { cause });
  });
  if (!info.isDirectory()) throw new CommandFailure(`${flag} ${path}: it is not a directory`);
}

/** Reads the file that a flag names. @throws CommandFailure if the file cannot be read. */
export const readFlagFile = async (flag: string, path: string): Promise<string> =>
  (await readBinaryFile(flag, path)).toString();

/** Reads the file that a flag names as bytes. @throws CommandFailure if the file cannot be read. */
export async function readBinaryFile(flag: string, path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new CommandFailure(`${flag} ${path}: ${systemReason(cause) ?? String(cause)}`, { cause });
  }
}

/** Reasons for failed writes, by system error code. */
const REASONS: Readonly<Record<string, string>> = {
  EEXIST: "the file exists; --force replaces it",
  ENOENT: "there is no such directory",
};

/**
 * Writes a file that only its owner may read. The file appears completely or not at all.
 *
 * @throws CommandFailure if the file cannot be written, or already exists and must not be replaced.
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
