import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { WAYBILL, waybill } from "./waybill-command.js";

/** URLs of a server's listeners. With `--only`, the other service has none. */
export interface Addresses {
  readonly integrityUrl: string;
  readonly messagingDataUrl: string;
  readonly registryUrl: string;
  readonly adminUrl: string;
}

/** Options of `waybill serve` for free ports. */
export const FREE_PORTS = ["integrity", "messaging-data", "registry", "admin"].flatMap((listener) => [
  `--${listener}-port`,
  "0",
]);

/** Starts `waybill serve` in its own process. @param command file of the command, of this clone by default. */
export const spawnServe = (
  args: readonly string[],
  nodeOptions: readonly string[],
  options: SpawnOptions,
  command = WAYBILL,
): ChildProcess => spawn(process.execPath, [...nodeOptions, command, "serve", ...args], options);

/** Waits until a started server listens. Returns undefined if its process exits before. */
export async function addressesOf(child: ChildProcess): Promise<Addresses | undefined> {
  const { stdout } = child;
  if (stdout === null) throw new Error("the output of the server is not connected");
  const [line] = (await Promise.race([once(createInterface(stdout), "line"), once(child, "exit")])) as [
    unknown,
  ];
  return typeof line === "string" ? (JSON.parse(line) as Addresses) : undefined;
}

/** Creates an access token with `waybill token`. */
export async function issueToken(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await waybill(["token", ...args]);
  if (code !== 0) throw new Error(`waybill token ended with ${code}: ${stderr}`);
  return stdout.trim();
}
