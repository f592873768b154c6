import type { ChildProcessByStdio, SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import { stringify } from "yaml";
import { packagePath } from "../package-path.js";
import { textOf } from "../text-of.js";
import { BASE_CONFIG } from "./project.js";
import { addressesOf, FREE_PORTS, spawnServe } from "./serve-process.js";
import { type Server, serverOf } from "./server.js";

/** A running `waybill serve`. */
export interface ServerProcess extends Server {
  readonly process: ServeChild;
  /** Output to stdout so far. */
  readonly output: () => string;
  /** Sends a signal, and waits until the process has exited and its log is complete. Returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** The child process of a server. */
export type ServeChild = ChildProcessByStdio<Writable, Readable, Readable>;

const PRELOADED = ["stop-with-parent", "endless-grace"].flatMap((name) => [
  "--import",
  pathToFileURL(packagePath(`test/support/servers/${name}.mjs`)).href,
]);

/** Runs `waybill serve` on free ports, as a process that exits with the tests, however they end. */
export const spawnServer = (
  args: readonly string[],
  nodeOptions: readonly string[] = [],
  options: SpawnOptions = {},
  command?: string,
): ServeChild =>
  spawnServe(
    [...FREE_PORTS, ...args],
    [...PRELOADED, ...nodeOptions],
    { stdio: "pipe", ...options },
    command,
  ) as ServeChild;

/**
 * Starts `waybill serve` on free ports in `directory`, which keeps its data across restarts.
 *
 * @param command file of the command, of this clone by default.
 */
export async function startProcess(
  directory: string,
  config: object = BASE_CONFIG,
  args: readonly string[] = [],
  nodeOptions: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
  command?: string,
): Promise<ServerProcess> {
  const file = join(directory, "waybill.yaml");
  const dataDir = join(directory, "data");
  await writeFile(file, stringify(config));
  const options = { env: { ...process.env, ...env } };
  const child = spawnServer(
    ["--config", file, "--data-dir", dataDir, ...args],
    nodeOptions,
    options,
    command,
  );
  const log = textOf(child.stderr);
  const output = textOf(child.stdout);
  // Output may still arrive after the process has exited.
  const closed = once(child, "close") as Promise<[number | null]>;
  const addresses = await addressesOf(child);
  if (addresses === undefined) {
    const [code] = await closed;
    throw new Error(`waybill serve ended with ${code}:\n${log()}`);
  }
  return {
    ...addresses,
    ...serverOf(dataDir),
    process: child,
    output,
    log,
    stop: async (signal = "SIGTERM") => {
      child.kill(signal);
      return (await closed)[0];
    },
  };
}
