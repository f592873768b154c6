import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import { serveCommand } from "../../../src/cli/operate/serve.js";
import { systemClock } from "../../../src/model/clock.js";
import { loadConfig } from "../../../src/server/config/config.js";
import { loggerTo } from "../../../src/server/operators/logger.js";
import { packagePath } from "../package-path.js";
import { accessToken, type ScopeName } from "./access-token.js";
import { BASE_CONFIG } from "./project.js";
import { type Addresses, FREE_PORTS } from "./serve-process.js";

/** A running server. */
export interface Server extends Addresses {
  readonly dataDir: string;
  /** Its admin listener's token. */
  readonly adminToken: () => string;
  /** Its log so far. */
  readonly log: () => string;
  /** An access token of its local issuer. */
  token(principal: string, ...scopes: ScopeName[]): Promise<string>;
  /** Waits until requests in progress have ended, and stops the server. */
  stop(): Promise<unknown>;
}

/** Starts a server on free ports in `directory`, which keeps its data across restarts. */
export type StartServer<S extends Server = Server> = (
  directory: string,
  config?: object,
  args?: readonly string[],
) => Promise<S>;

/** Time after which a stop aborts requests, in milliseconds. */
const GRACE = 10_000;

/**
 * Starts a server in this process, which needs a fifth of the processor time of `waybill serve`. Everything that concerns
 * the process needs `startProcess`: signals, exit codes, standard streams, file modes, the data directory lock.
 *
 * @param args as for `waybill serve`.
 */
export const startServer: StartServer = async (directory, config = BASE_CONFIG, args = []) => {
  const file = join(directory, "waybill.yaml");
  const dataDir = join(directory, "data");
  await writeFile(file, stringify(config));
  const command = serveCommand();
  command.parseOptions([...FREE_PORTS, "--data-dir", dataDir, ...args]);
  const loaded = await loadConfig(file, command.opts());
  const lines: string[] = [];
  const logger = loggerTo({ write: (line) => void lines.push(line) }, loaded.log.level, systemClock);
  const server = await (await builtServer()).startServer(loaded, logger, systemClock);
  const stop = async (): Promise<void> => {
    await server.drain();
    await server.close(GRACE);
  };
  let stopping: Promise<void> | undefined;
  return {
    ...(server.parts.addresses.listening as Addresses),
    ...serverOf(dataDir),
    log: () => lines.join(""),
    stop: () => (stopping ??= stop()),
  };
};

/** What tests use of a data directory's server. */
export const serverOf = (dataDir: string): Pick<Server, "adminToken" | "dataDir" | "token"> => ({
  dataDir,
  adminToken: () => readFileSync(join(dataDir, "admin-token"), "utf8").trim(),
  token: (principal, ...scopes) =>
    accessToken(dataDir, principal, scopes.length > 0 ? { scopes } : undefined),
});

/** Returns the server that `waybill serve` loads. Started from its sources, it could not start its threads. */
export function builtServer(): Promise<typeof import("../../../src/server/start-server.js")> {
  const directory = packagePath("dist/bundle");
  const file = readdirSync(directory).find((name) => name.startsWith("start-server-"));
  if (file === undefined) throw new Error(`${directory} contains no server; run npm run build`);
  return import(join(directory, file));
}
