import { readFile } from "node:fs/promises";
import { systemReason } from "../../model/system-error.js";
import { CommandFailure } from "./command-failure.js";

/** Reads the file that a flag names. @throws CommandFailure if it cannot be read. */
export async function readFlagFile(flag: string, path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new CommandFailure(`${flag} ${path}: ${systemReason(cause) ?? String(cause)}`, { cause });
  }
}
