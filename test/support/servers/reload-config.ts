import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import { poll } from "../poll.js";
import type { ServerProcess } from "./server-process.js";

export interface ReloadLine {
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

const ENDS = ["reloaded the config file", "cannot reload the config file"];

/**
 * Replaces a server's config file, and makes the server reload it.
 *
 * @param config the new config; a string replaces the whole file.
 * @returns the log lines since then, up to the outcome. A later warning may be missing.
 */
export async function reloadConfig(
  server: ServerProcess,
  config: object | string,
): Promise<readonly ReloadLine[]> {
  const before = server.log().length;
  const text = typeof config === "string" ? config : stringify(config);
  await writeFile(join(dirname(server.dataDir), "waybill.yaml"), text);
  server.process.kill("SIGHUP");
  return poll(
    () => linesOf(server.log().slice(before)),
    (lines) => lines.some(({ msg }) => ENDS.some((end) => msg.startsWith(end))),
  );
}

/** Parses complete log lines. */
export const linesOf = (log: string): readonly ReloadLine[] =>
  log
    .slice(0, log.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as ReloadLine);
