import { once } from "node:events";
import { mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { APPLE_APP } from "../../test/support/data/devices.js";
import {
  type Addresses,
  addressesOf,
  FREE_PORTS,
  issueToken,
  spawnServe,
} from "../../test/support/servers/serve-process.js";

/** Time limit for stopping a server, which is killed afterwards. */
const MAX_STOP_MS = 30_000;
const PRINCIPAL = "bench@example.com";

/** The project and the app that the benchmark uses. */
export const PROJECT = "123456789012";
export const REGISTERED_APP = "1:123456789012:ios:0a1b2c3d4e5f";

/** A second project with an app of the same id, and its principal. */
export const BYSTANDER = { principal: "bystander@example.com", project: "210987654321" };

const APPS = [{ id: REGISTERED_APP, ...APPLE_APP }];
const CONFIG = {
  projects: [
    { id: "bench-project", number: PROJECT, apps: APPS },
    { id: "bystander-project", number: BYSTANDER.project, apps: APPS },
  ],
  access: [
    { principal: PRINCIPAL, projects: ["bench-project"], role: "editor" },
    { principal: BYSTANDER.principal, projects: ["bystander-project"], role: "editor" },
  ],
};

/** A running `waybill serve` in its own process, with the default settings. */
export interface WaybillServer extends Addresses {
  readonly pid: number;
  /** Time until it was ready, in milliseconds. */
  readonly startMs: number;
  /** An access token for every request of the benchmark. */
  readonly token: string;
  /** An access token for another principal. */
  tokenOf(principal: string): Promise<string>;
  /** Returns true unless the process has exited. */
  isRunning(): boolean;
  stop(): Promise<void>;
}

/** The data directory of a server that is started in `directory`. */
export function dataDirectory(directory: string): string {
  return join(directory, "data");
}

/**
 * Starts a server with its configuration and data in `directory`.
 *
 * @param log its log file; by default in `directory`.
 * @param more further configuration keys.
 * @param env further environment variables.
 */
export async function startWaybill(
  directory: string,
  log = join(directory, "waybill.log"),
  more: object = {},
  env: NodeJS.ProcessEnv = {},
): Promise<WaybillServer> {
  mkdirSync(directory, { recursive: true });
  const config = join(directory, "waybill.yaml");
  // JSON is valid YAML.
  writeFileSync(config, JSON.stringify({ ...CONFIG, ...more }));
  const data = ["--config", config, "--data-dir", dataDirectory(directory)];
  const begun = performance.now();
  const child = spawnServe([...data, ...FREE_PORTS], [], {
    stdio: ["ignore", "pipe", openSync(log, "w")],
    env: { ...process.env, ...env },
  });
  const kill = (): boolean => child.kill();
  process.once("exit", kill);
  const exited = once(child, "exit");
  const addresses = await addressesOf(child);
  if (addresses === undefined) throw new Error(`waybill serve has ended:\n${readFileSync(log, "utf8")}`);
  const startMs = performance.now() - begun;
  const tokenOf = (principal: string): Promise<string> =>
    issueToken(["--principal", principal, "--ttl", "12h", ...data]);
  return {
    ...addresses,
    pid: child.pid ?? 0,
    startMs,
    token: await tokenOf(PRINCIPAL),
    tokenOf,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    stop: async () => {
      process.off("exit", kill);
      child.kill();
      const timer = setTimeout(() => child.kill("SIGKILL"), MAX_STOP_MS);
      await exited;
      clearTimeout(timer);
    },
  };
}
