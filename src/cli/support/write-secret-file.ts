import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { createSecretFile, replaceFile } from "../../control/file/secret-file.js";
import { systemReason } from "../../model/system-error.js";
import { CommandFailure } from "./command-failure.js";

/** Reasons that mean something else for a file that is written. */
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
