import type { Command } from "commander";
import type { Control } from "../../control/control.js";
import { openControl } from "../../control/engines.js";
import { systemClock } from "../../model/clock.js";
import { loadConfig } from "../../server/config/config.js";
import type { Config } from "../../server/config/config-schema.js";
import { requireDirectory } from "./flag-files.js";

/** Values of the flags for commands that read a server's files. */
export interface ControlFlags {
  readonly dataDir?: string;
  readonly config?: string;
}

/** Adds these flags to a command that may run beside its server. */
export const withControlFlags = (command: Command): Command =>
  command
    .option("--data-dir <dir>", "data directory; its server may be running (default: ./data)")
    .option("--config <file>", "server's configuration file, for the key location");

/** Loads the server's configuration, as far as a command needs it. */
export const serverConfig = ({ dataDir, config }: ControlFlags): Promise<Config> =>
  loadConfig(config, dataDir === undefined ? {} : { dataDir });

/**
 * Loads the configuration for a command that reads control data.
 *
 * @throws CommandFailure if the data directory does not exist.
 */
export async function controlConfigOf(flags: ControlFlags): Promise<Config> {
  const config = await serverConfig(flags);
  if (config.control.engine === "files") await requireDirectory("--data-dir", config.dataDir);
  return config;
}

/** Runs a function with a server's control data. @throws StoreOpenError if the control data cannot be opened. */
export async function withControl<T>(config: Config, work: (control: Control) => Promise<T>): Promise<T> {
  const control = await openControl(config.control, { directory: config.dataDir, clock: systemClock });
  try {
    return await work(control);
  } finally {
    await control.close();
  }
}
